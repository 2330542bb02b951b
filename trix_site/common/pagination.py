"""Pages of a list: `?page=2&page_size=100`."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from trix_site.common.serializers import read

LARGEST_PAGE = 200


class PageQuery(serializers.Serializer):
    page = serializers.IntegerField(min_value=1, required=False)
    page_size = serializers.IntegerField(min_value=1, max_value=LARGEST_PAGE, required=False)


class Pages(PageNumberPagination):
    page_size = 50
    max_page_size = LARGEST_PAGE
    page_size_query_param = "page_size"
    invalid_page_message = "There is no page {page_number}: see `count` of the first one."


def paged(request: Request, rows: QuerySet[Any], answer: Callable[[Any], object]) -> Response:
    """The page of these rows that is asked for. Raises ValidationError, and NotFound beyond the last one."""
    read(PageQuery, request.query_params)
    pages = Pages()
    page: Iterable[Any] = pages.paginate_queryset(rows, request) or ()
    return pages.get_paginated_response([answer(row) for row in page])
