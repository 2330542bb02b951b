"""Serializers that mean what they say: unknown fields and wrong JSON types are refused, not guessed at.

Shapes that several apps read are here too.
"""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

LARGEST_INT = 2**31 - 1

# DRF would turn 5 into "5", "5" into 5 and "yes" into true.
JSON_TYPES: tuple[tuple[type[serializers.Field], type, str], ...] = (
    (serializers.CharField, str, "text"),
    (serializers.IntegerField, int, "a whole number"),
    (serializers.BooleanField, bool, "true or false"),
    (serializers.ListField, list, "a list"),
    (serializers.DictField, dict, "an object"),
    (serializers.Serializer, dict, "an object"),
)

Misfit = list[str] | dict[int, Any]  # Sentences, or by the place in a list.


class StrictSerializer(serializers.Serializer):
    """Base of every serializer that reads a body."""

    def to_internal_value(self, data: Any) -> Any:
        """The checked values by field. Raises ValidationError with every wrong field at once."""
        if isinstance(data, Mapping):
            errors: dict[str, Any] = {
                name: error for name, value in data.items() if (error := self._misfit(name, value))
            }
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)

    def _misfit(self, name: str, value: object) -> Misfit | None:
        field = self.fields.get(name)
        if field is None or field.read_only:
            known = ", ".join(sorted(n for n, f in self.fields.items() if not f.read_only)) or "none"
            return [f"There is no such field. Fields: {known}."]
        return _wrong_type(field, value)


def _wrong_type(field: serializers.Field, value: object) -> Misfit | None:
    """What is wrong with the JSON type of a value; for a list, with its first wrong item."""
    if value is None:
        return None
    for kind, wanted, text in JSON_TYPES:
        if isinstance(field, kind) and type(value) is not wanted:
            return [f"This must be {text}."]
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        for place, item in enumerate(value):
            if error := _wrong_type(field.child, item):
                return {place: error}
    return None


class NumberField(serializers.FloatField):
    """A JSON number, where DRF would take "5" and true too."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise serializers.ValidationError("This must be a number.")
        return super().to_internal_value(data)


class NothingRequest(StrictSerializer):
    """An empty object, or no body at all."""


def read(kind: type[serializers.Serializer], data: Any) -> dict[str, Any]:
    """The checked values of a body or a query. Raises ValidationError."""
    serializer = kind(data=data)
    for field in serializer.fields.values():
        field = getattr(field, "child", field)  # Of a list, what its items must be.
        if isinstance(field, serializers.ChoiceField):
            choices = ", ".join(field.choices)
            field.error_messages["invalid_choice"] = f"This must be one of {choices}, not {{input!r:.40}}."
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data
