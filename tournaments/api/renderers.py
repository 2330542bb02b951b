"""Standings as CSV, for spreadsheets."""

import csv
import io
from collections.abc import Mapping
from typing import Any

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
        text = io.StringIO()
        csv.writer(text).writerows([_harmless(cell) for cell in row] for row in data)
        return (BOM + text.getvalue()).encode()


def _harmless(cell: object) -> object:
    """A name such as =1+1 must stay a name in a spreadsheet."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell
