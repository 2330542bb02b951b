"""How a message is written: server-sent events, or a JSON object a line."""

from functools import cached_property

from rest_framework.renderers import JSONRenderer

from trix_site.common.answers import Json


def as_json(answer: Json) -> bytes:
    """The bytes that the API's own answers are."""
    data: bytes = JSONRenderer().render(answer)
    return data


class Message:
    """``data`` is JSON. One message goes to many streams, so that each form of it is made once."""

    def __init__(self, kind: str, data: bytes, version: int | None = None) -> None:
        self.kind, self.data, self.version = kind, data, version

    @cached_property
    def sse(self) -> bytes:
        name = b"" if self.version is None else b"id: %d\n" % self.version
        return b"event: %s\n%sdata: %s\n\n" % (self.kind.encode(), name, self.data)

    @cached_property
    def ndjson(self) -> bytes:
        name = b"" if self.version is None else b'"id":%d,' % self.version
        return b'{"type":"%s",%s"data":%s}\n' % (self.kind.encode(), name, self.data)


KEEP_ALIVE = {"sse": b":\n\n", "ndjson": b"\n"}
