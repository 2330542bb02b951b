"""Examples for the description, out of the calls of a story: see `trix_site.openapi`."""

import json
from typing import Any

from tests.site.calls import Call
from tests.site.scenario import Story

Json = dict[str, Any]
LONGEST = 5000  # characters


def of(story: Story, schema: Json) -> Json:
    """What `examples.json` holds: problems by code, and by operation its path, request, answers and codes."""
    problems: Json = {}
    operations: Json = {}
    for call in story.calls.made:
        name = schema["paths"][call.template][call.method.lower()]["operationId"]
        found = operations.setdefault(name, {"path": {}, "request": None, "answers": {}, "problems": {}})
        if call.refused:
            _add_problem(found, problems, call)
        else:
            _add_answer(found, call)
    _add_streams(operations)
    return {"problems": dict(sorted(problems.items())), "operations": dict(sorted(operations.items()))}


def _add_streams(operations: Json) -> None:
    """How the streams of a match and of an account begin."""
    match = operations["get_matches_code"]["answers"]["200"]["application/json"]
    action = operations["get_matches_code_events"]["answers"]["200"]["application/json"]["events"][-1]
    account = operations["get_account"]["answers"]["200"]["application/json"]
    messages = {
        "get_matches_code_events": [
            ("match", match["version"], match),
            ("action", action["version"], action),
        ],
        "account_stream": [("account", None, account), ("your_turn", None, account["matches"][0])],
    }
    for name, sent in messages.items():
        answers = operations[name]["answers"]["200"]
        answers["text/event-stream"] = "".join(_server_sent(*message) for message in sent)
        answers["application/x-ndjson"] = "".join(_line(*message) for message in sent)


def _server_sent(kind: str, number: int | None, data: Json) -> str:
    name = "" if number is None else f"id: {number}\n"
    return f"event: {kind}\n{name}data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _line(kind: str, number: int | None, data: Json) -> str:
    name = {} if number is None else {"id": number}
    return json.dumps({"type": kind, **name, "data": data}, ensure_ascii=False) + "\n"


def _add_problem(found: Json, problems: Json, call: Call) -> None:
    code = call.body["code"]
    problems.setdefault(code, call.body)
    codes = found["problems"].setdefault(str(call.status), [])
    if code not in codes:
        codes.append(code)


def _add_answer(found: Json, call: Call) -> None:
    """Of each kind the one that shows most, and is not too long to read."""
    found["path"] = found["path"] or call.path
    found["request"] = _better(found["request"], call.request)
    if call.media:
        answers = found["answers"].setdefault(str(call.status), {})
        answers[call.media] = _better(answers.get(call.media), call.body)


def _better(old: Any, new: Any) -> Any:
    """None is no example."""
    return max((each for each in (old, new) if each is not None), key=_worth, default=None)


def _worth(example: Any) -> int:
    length = len(json.dumps(example, ensure_ascii=False))
    return length if length < LONGEST else LONGEST - length
