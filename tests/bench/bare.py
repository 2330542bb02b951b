"""What Django REST Framework costs for the statements of a move, without the game: the urlconf of the peer.

The statements are the same, through the same models and in one transaction.
Nothing is replayed, checked or shown: rows are written back as they were read, and the answer is a constant.
"""

from django.db import transaction
from django.urls import path
from knox.auth import TokenAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import ApiToken, Match


class Authentication(TokenAuthentication):
    """Knox's, without its look at the player's other tokens."""

    def _cleanup_token(self, auth_token: ApiToken) -> bool:
        return False


class Move(APIView):
    authentication_classes = [Authentication]
    permission_classes = [IsAuthenticated]

    def post(self, request: Request, code: str) -> Response:
        assert request.data
        with transaction.atomic():
            match = Match.objects.select_for_update(no_key=True).get(code=code)
            list(match.seats.all())
            deal = list(match.deals.all())[-1]
            deal.save(update_fields=["actions", "times", "contract", "scores"])
            match.save(update_fields=MATCH_FIELDS)
        return Response({"version": match.version})


MATCH_FIELDS = [
    "version", "deal_number", "totals", "status", "winners", "finished_at", "deadline", "bots_due"
]  # fmt: skip
urlpatterns = [path("bare/<str:code>/", Move.as_view())]
