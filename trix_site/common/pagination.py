"""Pages of a list: `?page=2&page_size=100`."""

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
