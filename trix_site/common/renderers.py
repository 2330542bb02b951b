"""Lists as CSV, for spreadsheets."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework.renderers import BaseRenderer, JSONRenderer

BOM = "\ufeff"  # Without it Excel reads Arabic names as something else.


class CSVRenderer(BaseRenderer):
    """Rows under a header. A problem stays JSON, as its media type says."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if isinstance(data, dict):
            return JSONRenderer().render(data)
        return b"".join(csv_lines(data))


class _Line:
    """A file for csv.writer that hands each line back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """The lines of a CSV file, as they are wanted."""
    writer = csv.writer(_Line())
    yield BOM.encode()
    for row in rows:
        yield writer.writerow([_harmless(cell) for cell in row]).encode()


def streamed_csv(rows: Iterable[Sequence[object]], name: str) -> StreamingHttpResponse:
    """Rows of any number, sent as they are read; a browser offers to save them as `name`."""
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return StreamingHttpResponse(csv_lines(rows), content_type="text/csv; charset=utf-8", headers=headers)


def _harmless(cell: object) -> object:
    """A name such as =1+1 must stay a name in a spreadsheet."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell
