"""The statements of a move, taken from a real one, and pgbench with them: what the database alone can do."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import connection
from psycopg import sql

from games.models import ApiToken, Match
from tests.bench.clients import Sample
from tests.bench.table import World


def literal(value: Any) -> str:
    return sql.Literal(value).as_string()


def statements(act: Callable[[], object], names: dict[object, str]) -> list[str]:
    """What ``act`` sends to the database, in one transaction, as pgbench reads it.

    ``names`` are the values that differ from client to client, and how pgbench writes them.
    """
    sent: list[str] = []

    def written(value: Any) -> str:
        return names[value] if isinstance(value, int | str) and value in names else literal(value)

    def note(execute: Any, query: str, params: Any, many: bool, context: Any) -> Any:
        sent.append(query % tuple(map(written, params or ())))
        return execute(query, params, many, context)

    with connection.execute_wrapper(note):
        act()
    token, *move = [statement for statement in sent if not re.match("(RELEASE )?SAVEPOINT", statement)]
    return [token, "BEGIN", *move, "COMMIT"]


def script(world: World, act: Callable[[str], object]) -> str:
    """The statements of one move, each client's on the rows of a match of its own.

    ``act`` makes the world's first move in the match of this code. The tokens lead nowhere after this.
    """
    codes = world.copies("pg")
    match = Match.objects.get(code=codes[0])
    tokens = [ApiToken.objects.get(user=four[world.moves[0].seat]) for four in world.players]
    code = match.code
    names = {tokens[0].token_key: "'pg:client_id'", code: "'pg:client_id'", match.pk: ":match"}
    lines = statements(lambda: act(code), names)
    for client, token in enumerate(tokens):
        ApiToken.objects.filter(pk=token.pk).update(token_key=f"pg{client}")
    return "\n".join([rf"\set match {match.pk} + :client_id", *(f"{line};" for line in lines)])


def load(script: str, clients: int, seconds: float) -> Sample:
    place = connection.settings_dict
    with TemporaryDirectory() as folder:
        (Path(folder) / "move.sql").write_text(script)
        subprocess.run(
            ["pgbench", f"--host={place['HOST']}", f"--port={place['PORT']}", f"--username={place['USER']}",
             f"--client={clients}", "--jobs=1", f"--time={seconds:.0f}", "--no-vacuum", "--file=move.sql",
             "--log", "--log-prefix=log", place["NAME"]],
            cwd=folder, check=True, capture_output=True,
        )  # fmt: skip
        log = [line.split() for file in Path(folder).glob("log.*") for line in file.read_text().splitlines()]
    return Sample([int(line[2]) / 1e6 for line in log], seconds, 0)
