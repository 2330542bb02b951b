"""Serializers that mean what they say: unknown fields and wrong JSON types are refused, not guessed at."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

# DRF would turn 5 into "5", "5" into 5 and "yes" into true.
JSON_TYPES: tuple[tuple[type[serializers.Field], type, str], ...] = (
    (serializers.CharField, str, "text"),
    (serializers.IntegerField, int, "a whole number"),
    (serializers.BooleanField, bool, "true or false"),
)


class StrictSerializer(serializers.Serializer):
    """Base of every serializer that reads a body."""

    def to_internal_value(self, data: Any) -> Any:
        """The checked values by field. Raises ValidationError with every wrong field at once."""
        if isinstance(data, Mapping):
            errors = {name: [error] for name, value in data.items() if (error := self._misfit(name, value))}
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)

    def _misfit(self, name: str, value: object) -> str | None:
        field = self.fields.get(name)
        if field is None or field.read_only:
            known = ", ".join(sorted(n for n, f in self.fields.items() if not f.read_only)) or "none"
            return f"There is no such field. Fields: {known}."
        for kind, wanted, text in JSON_TYPES:
            if isinstance(field, kind) and value is not None and type(value) is not wanted:
                return f"This must be {text}."
        return None
