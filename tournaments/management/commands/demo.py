"""`manage.py demo`: prepare a trial and say how to get in. May be called at every start."""

import json
import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments import demo


class Command(BaseCommand):
    help = "Make a demo league that plays live, an organiser and a player, and print how to get in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        made = demo.prepare()
        base = f"http://localhost:{os.environ.get('PORT') or 8000}"
        told = {
            "organiser": demo.ORGANISER,
            "password": made.password,
            "player": demo.PLAYER,
            "token": made.token,
            "live_league": f"{base}/admin/tournaments/tournament/{made.live.pk}/desk/",
            "league_to_start": f"{base}/admin/tournaments/tournament/{made.ready.pk}/desk/",
            "standings": f"{base}/api/v1/tournaments/{made.live.slug}/standings/?live=true",
            "match": f"{base}/api/v1/matches/{made.match.code}/",
        }
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            self.stdout.write(TEXT.format(**told | {"password": made.password or "as you have changed it"}))


TEXT = """
Organiser  {organiser}, password {password}
  a league that plays live  {live_league}
  a league to start         {league_to_start}
Player     {player}, token {token}
  standings of the league   {standings}
  a table of his own        {match}"""
