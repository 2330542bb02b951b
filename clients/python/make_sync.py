"""Write `_sync` from `_async`: `python make_sync.py`, or with --check only say whether it is up to date."""

import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

from unasync import Rule, unasync_files

PACKAGE = Path(__file__).parent / "src" / "trix_client"
CLASSES = (
    "Client", "Transport", "Auth", "Account", "Matches", "Chat", "Webhooks", "Entrants", "Rounds",
    "Tournaments", "Leagues", "Ratings", "Players", "Stream", "Choose",
)  # fmt: skip
NAMES = {f"Async{name}": name for name in CLASSES} | {
    "aclose": "close",
    "aclosing": "closing",
    "aread": "read",
    "aiter_bytes": "iter_bytes",
    "asyncio": "time",  # Both have a sleep.
    "asynccontextmanager": "contextmanager",
}


def write(folder: Path) -> None:
    """Write the synchronous modules into this folder."""
    sources = sorted((PACKAGE / "_async").glob("*.py"))
    rule = Rule(f"{PACKAGE}/_async/", f"{folder}/", additional_replacements=NAMES)
    unasync_files([str(source) for source in sources], [rule])
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "-q", "--select=I", "--fix", folder], check=True)
    subprocess.run([*ruff, "format", "-q", folder], check=True)


def differences() -> list[str]:
    """The names of the synchronous modules that are not what `write` would write."""
    with tempfile.TemporaryDirectory(dir=PACKAGE) as folder:
        write(Path(folder))
        names = {path.name for place in (folder, PACKAGE / "_sync") for path in Path(place).glob("*.py")}
        _, different, missing = filecmp.cmpfiles(folder, PACKAGE / "_sync", sorted(names), shallow=False)
        return different + missing


if __name__ == "__main__":
    if "--check" not in sys.argv:
        write(PACKAGE / "_sync")
    elif found := differences():
        sys.exit(f"Not up to date, make client: {', '.join(found)}")
