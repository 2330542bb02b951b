"""Which form an answer takes: what `?format=` or the Accept header asks for."""

from collections.abc import Iterable

from django.http import Http404
from rest_framework.exceptions import NotFound
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer


class Negotiation(DefaultContentNegotiation):
    """DRF's, which says what there is instead of an unknown `?format=`."""

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:
        try:
            return super().filter_renderers(renderers, format)
        except Http404 as error:
            known = " and ".join(dict.fromkeys(str(renderer.format) for renderer in renderers))
            raise NotFound(f"There is no format {format:.40} here, but {known}.") from error
