"""Tournaments, leagues and ratings, to be read."""

from typing import Annotated

import typer

from .app import AsJson, app, client, show
from .lists import leagues_table, pools_table, ratings_table, standings_table, tournaments_table

EVERYONE = 10_000  # lines of standings that a page can have


@app.command()
def tournaments(
    state: Annotated[str | None, typer.Option(help="registration, running, finished or cancelled.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tournaments: the public ones, and yours."""
    with client(needs_login=False) as trix:
        page = trix.tournaments.list(state=state, page_size=50)  # type: ignore[arg-type]
    show(page, tournaments_table(page["results"]), as_json)


@app.command()
def leagues(as_json: AsJson = False) -> None:
    """Leagues, whose divisions are tournaments."""
    with client(needs_login=False) as trix:
        page = trix.leagues.list(page_size=50)
    show(page, leagues_table(page["results"]), as_json)


@app.command()
def standings(
    slug: Annotated[str, typer.Argument(help="The tournament's address, as `trix tournaments` lists it.")],
    live: Annotated[bool, typer.Option("--live", help="With the round that is being played.")] = False,
    as_json: AsJson = False,
) -> None:
    """The standings of a tournament."""
    with client(needs_login=False) as trix:
        found = trix.tournaments.standings(slug, live=live, page_size=EVERYONE)
    show(found, standings_table(found), as_json)


@app.command()
def ratings(
    pool: Annotated[str | None, typer.Argument(help="A pool, as in classic; without it, the pools.")] = None,
    everyone: Annotated[bool, typer.Option("--all", help="Provisional (?) and absent players too.")] = False,
    as_json: AsJson = False,
) -> None:
    """The leaderboard of a pool, or the pools."""
    with client(needs_login=False) as trix:
        if pool is None:
            pools = trix.ratings.pools()
            return show(pools, pools_table(pools), as_json)
        page = trix.ratings.leaderboard(pool, all=everyone, page_size=50)
    show(page, ratings_table(page["results"]), as_json)
