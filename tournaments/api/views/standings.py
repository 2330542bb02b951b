"""Standings, and why one entry stands above another."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.models import MOST_ENTRIES
from tournaments.performances import performances
from tournaments.services.standings import (
    Ranked,
    compared,
    lines_of,
    placed_entries,
    ranked,
    ranked_over_stages,
)
from trix_site.common.pagination import LARGEST_PAGE, PageQuery, Pages
from trix_site.common.renderers import CSVRenderer
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class StandingsPages(Pages):
    """All of most tournaments is one page; all of any, if that is asked for."""

    page_size = LARGEST_PAGE
    max_page_size = MOST_ENTRIES


class StandingsDoor(TournamentDoor):
    def ranked(self, slug: str, query: Mapping[str, Any]) -> Ranked:
        """The standings that are asked for, as far as the caller may see them."""
        tournament = self.tournament(slug)
        live = query["live"] and selectors.may_see_live(tournament, self.request.user)
        return ranked(tournament, live=live, stage=query["stage"], group=query["group"])


class Standings(StandingsDoor):
    renderer_classes = [JSONRenderer, CSVRenderer]

    @describe(
        404,
        answers={
            (200, "application/json"): schemas.Standings,
            (200, "text/csv"): OpenApiTypes.STR,
        },
        parameters=[requests.StandingsQuery],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The standings, from the results of closed rounds. Equal on every metric is an equal rank.

        `live` ones are for organisers alone while other tables still play the same cards. CSV is not paged.
        """
        of = self.ranked(slug, read(requests.StandingsQuery, request.query_params))
        if isinstance(request.accepted_renderer, CSVRenderer):
            return Response(answers.standings_rows(of.tournament, lines_of(of.rows)))
        return self._page(of)

    def _page(self, of: Ranked) -> Response:
        pages = StandingsPages()
        rows = pages.paginate_queryset(of.rows, self.request) or []
        shown = pages.get_paginated_response(
            [answers.standings_line(of.tournament, line) for line in lines_of(rows)]
        )
        shown.data["standings"] = shown.data.pop("results")
        shown.data = answers.standings_of(of) | shown.data
        return shown


class Ranking(TournamentDoor):
    @describe(404, answers=schemas.RankingPage, parameters=[PageQuery], operation_id="get_ranking")
    def get(self, request: Request, slug: str) -> Response:
        """Everyone over all stages: those of the last one first, then who went out before it."""
        read(PageQuery, request.query_params)
        pages = StandingsPages()
        rows = pages.paginate_queryset(ranked_over_stages(self.tournament(slug)), request) or []
        return pages.get_paginated_response([answers.placed(*each) for each in placed_entries(rows)])


class Performances(TournamentDoor):
    @describe(404, answers=schemas.PerformancePage, parameters=[PageQuery], operation_id="get_performance")
    def get(self, request: Request, slug: str) -> Response:
        """The rating that each player played like in rated matches of closed rounds, in order of the ranking.

        Three pairs a match count, with partners one of teams; at most 800 points from the opponents' mean.
        """
        read(PageQuery, request.query_params)
        tournament, pages = self.tournament(slug), StandingsPages()
        rows = pages.paginate_queryset(ranked_over_stages(tournament), request) or []
        placed = placed_entries(rows)
        found = performances(tournament, {entry.player_id for _, entry in placed})
        return pages.get_paginated_response(
            [answers.performed(*each, found.get(each[1].player_id)) for each in placed]
        )


class Compare(StandingsDoor):
    @describe(404, answers=schemas.Comparison, parameters=[requests.CompareQuery])
    def get(self, request: Request, slug: str) -> Response:
        """Why one of two entries stands above the other, and what each had at its tables."""
        self.tournament(slug)
        query = read(requests.CompareQuery, request.query_params)
        of = self.ranked(slug, query)
        return Response(answers.compared(of, compared(of, query["first"], query["second"])))
