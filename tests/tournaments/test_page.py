"""docs/organising.md can be followed to the letter."""

import re
import shlex
from pathlib import Path
from string import Template

import pytest

from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PAGE = (Path(__file__).parents[2] / "docs" / "organising.md").read_text(encoding="utf-8")


def test_the_league_of_the_page_is_played_call_by_call(api, organiser):
    section = PAGE.partition("\n## The same through the API")[2].partition("\n## ")[0]
    (address,) = re.findall("LEAGUE=(.+)", section)
    names = {"API": "/api/v1", "LEAGUE": address.replace("$API", "/api/v1"), "ME": "me", "JSON": "json"}
    for line in re.findall("^ +curl (.+)$", section, re.MULTILINE):
        words = shlex.split(Template(line).substitute(names))
        client = api(organiser if "me" in words else None)
        url = next(word for word in words if word.startswith("/"))
        if "-d" in words:
            answer = client.post(url, words[words.index("-d") + 1], content_type="application/json")
        else:
            answer = client.get(url)
        assert answer.status_code in (200, 201), (line, answer.content.decode())
    assert Tournament.objects.get().state == "finished"
