"""What Django REST Framework costs for the statements of a move, without the game: the urlconf of the peer.

The statements are the same, made in the same way, in one transaction.
Nothing is replayed, checked or shown: rows are written back as they were read, and the answer is a constant.
"""

from django.db import transaction
from django.urls import path
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.authentication import BearerAuthentication
from games.services.locks import lock_match
from games.services.tables import DEALS, MOVED, PLAYED, SEATS
from trix_site.common.prepared import update


class Move(APIView):
    authentication_classes = [BearerAuthentication]
    permission_classes = [IsAuthenticated]

    def post(self, request: Request, code: str) -> Response:
        assert request.data
        with transaction.atomic():
            match = lock_match(code=code)
            SEATS.all(match.pk)
            update(DEALS.all(match.pk)[-1], PLAYED)
            update(match, MOVED)
        return Response({"version": match.version})


urlpatterns = [path("bare/<str:code>/", Move.as_view())]
