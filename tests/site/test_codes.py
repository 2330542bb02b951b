"""Callers go by the codes of refusals, so each of them is written down."""

import re

from tests.processes import ROOT

# What the draw refuses is a fault of its caller, and goes out by no door.
CODES = re.compile(
    r"\b(?:BadRequest|Forbidden|Missing|Conflict|AgainstRules|WrongCredentials|RecordError"
    r'|raise (?!DrawError)\w+)\(\s*"(\w+)",'
    r'|\bproblem\w*\(\d+, "(\w+)"|^    code = "(\w+)"',
    re.MULTILINE,
)


def test_every_code_of_a_refusal_stands_in_the_docs():
    sources = [
        path.read_text()
        for app in ("games", "ratings", "tournaments", "trix_site")
        for path in (ROOT / app).rglob("*.py")
    ]
    codes = {code for source in sources for found in CODES.findall(source) for code in found if code}
    docs = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))
    assert {"stale_version", "must_follow_suit", "length_required", "rules_missing"} < codes
    assert {code for code in codes if f"`{code}`" not in docs} == set()
