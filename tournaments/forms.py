"""Forms of the admin: a tournament's settings, names to enter, a table's result."""

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.forms.fields import InvalidJSONInput
from rest_framework.exceptions import ParseError
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from games.bots import DESCRIPTIONS
from games.engine import PRESETS
from games.engine.cards import SEAT_TITLES
from tournaments.models import League, Table, Tournament
from tournaments.services.audit import LONGEST_REASON
from tournaments.services.leagues import check_league
from tournaments.services.life import (
    check_pairs,
    check_points,
    check_time_zone,
    check_weights,
    check_words,
    free_slug,
)
from tournaments.services.records import LONGEST_RECORD
from tournaments.services.results import LARGEST_SCORE
from tournaments.services.stages import SETTINGS, made
from tournaments.standings import METRICS
from trix_site.common.errors import ProblemError
from trix_site.common.lines import check_line
from trix_site.common.parsers import StrictJSONParser

CHECKS: dict[Callable[..., None], tuple[str, ...]] = {
    check_words: ("rules", "options", "metrics", "bot_level"),
    check_pairs: ("pairs", "rules", "options"),
    check_points: ("place_points", "bye_points"),
    check_weights: ("weights",),
    check_time_zone: ("time_zone",),
}
"""What the services ask of a tournament's settings, and of which."""

LEAGUE_FIELDS = ("name", "slug", "description", "divisions", "division_size", "promoted", "settings")


class OptionsField(forms.JSONField):
    """A JSON object, read as strictly as the API reads one. What was typed stays on the form as it was."""

    example = '{"early_end": false}'

    def to_python(self, value: Any) -> Any:
        if self.disabled or value in self.empty_values or not isinstance(value, str):
            return super().to_python(value)
        try:
            return StrictJSONParser().parse(BytesIO(value.encode()))
        except ParseError as error:
            raise ValidationError(f"Enter a valid JSON object, such as {self.example}.") from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial if self.disabled else InvalidJSONInput(data or "")


class WeightsField(OptionsField):
    example = '{"meeting": 9000}'


class TournamentForm(forms.ModelForm):
    """Settings, checked as the services check them."""

    class Meta:
        model = Tournament
        fields = "__all__"
        widgets = {
            "rules": UnfoldAdminSelectWidget(choices=[(name, name) for name in PRESETS]),
            "description": UnfoldAdminTextareaWidget(attrs={"rows": 3, "dir": "auto"}),
            "options": UnfoldAdminTextareaWidget(attrs={"rows": 2}),
            "metrics": UnfoldAdminTextInputWidget(attrs={"size": 60}),
            "place_points": UnfoldAdminTextInputWidget,
            "weights": UnfoldAdminTextareaWidget(attrs={"rows": 2}),
            "time_zone": UnfoldAdminSelectWidget(
                choices=[(zone, zone) for zone in sorted(available_timezones())]
            ),
            "bot_level": UnfoldAdminSelectWidget(choices=list(DESCRIPTIONS.items())),
        }

        field_classes = {"options": OptionsField, "weights": WeightsField}
        help_texts = {"metrics": f"What ranks the entries, in order: some of {', '.join(METRICS)}."}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        try:
            check_line("name", name)
        except ProblemError as refused:
            raise ValidationError(refused.detail)
        return name

    def clean_slug(self) -> str:
        """An address; of a new tournament perhaps none, which is made when it is stored."""
        slug: str = self.cleaned_data["slug"]
        return slug or (free_slug(self.cleaned_data.get("name", "")) if self.instance.pk else "")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        for check, names in CHECKS.items():
            if not self.errors.keys() & set(names):
                try:
                    check(*(self.cleaned_data.get(name, getattr(self.instance, name)) for name in names))
                except ProblemError as refused:
                    raise ValidationError(refused.detail)
        return cleaned


class LeagueForm(forms.ModelForm):
    """A league, checked as the service checks it."""

    class Meta:
        model = League
        fields = "__all__"
        widgets = {
            "description": UnfoldAdminTextareaWidget(attrs={"rows": 3, "dir": "auto"}),
            "settings": UnfoldAdminTextareaWidget(attrs={"rows": 6}),
        }
        field_classes = {"settings": OptionsField}

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            fields = {name: value for name, value in self.cleaned_data.items() if name in LEAGUE_FIELDS}
            try:
                check_league(League(**fields))
            except ProblemError as refused:
                raise ValidationError(refused.detail)
        return cleaned


class SeasonForm(forms.Form):
    """Who begins in a league's next season."""

    names = forms.CharField(
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 10, "dir": "auto"}),
        max_length=700_000,  # 10,000 names
        help_text="One name a line, the strongest first; a pair as name & name.",
    )

    def players(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]


class DocumentField(forms.FileField):
    """An uploaded JSON object, read as strictly as the API reads one."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if file.size > settings.API_DOCUMENT_LIMIT:
            raise ValidationError(f"The file is too large: at most {settings.API_DOCUMENT_LIMIT} bytes.")
        try:
            return StrictJSONParser().parse(file)
        except ParseError as error:
            raise ValidationError(str(error.detail)) from error


class ImportForm(forms.Form):
    file = DocumentField(help_text="The JSON document of a tournament.")
    slug = forms.SlugField(
        required=False,
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        label="Address",
        help_text="Empty: made from the name.",
    )
    players = forms.CharField(
        required=False,
        max_length=100_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "auto"}),
        label="Other names",
        help_text="One a line: the name in the file = the account here.",
    )

    def clean_players(self) -> dict[str, str]:
        lines = [line.strip() for line in self.cleaned_data["players"].splitlines() if line.strip()]
        pairs = [[part.strip() for part in line.partition("=")] for line in lines]
        if wrong := [line for line, pair in zip(lines, pairs, strict=True) if not all(pair)]:
            raise ValidationError(f"Write name = account, not {wrong[0]}.")
        return {old: new for old, _, new in pairs}

    def options(self) -> dict[str, Any]:
        return {"slug": self.cleaned_data["slug"], "players": self.cleaned_data["players"]}


class StageFormSet(forms.BaseInlineFormSet):
    """The stages of a tournament, checked as the service checks them; it stores them, too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # What Django's log of the admin asks for after a save, which is not made here.
        self.new_objects, self.changed_objects, self.deleted_objects = [], [], []

    def stages(self) -> list[dict[str, Any]]:
        """The settings of each stage that is left, in order."""
        kept = [form.cleaned_data for form in self.forms if form not in self.deleted_forms]
        return [{name: data[name] for name in SETTINGS} for data in kept if data]

    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        try:
            made(self.instance, self.stages())
        except ProblemError as refused:
            raise ValidationError(refused.detail)


SEPARATORS = re.compile(r"[\s,;،؛]+")
"""What stands between names in a list that somebody pastes."""


def _names() -> UnfoldAdminTextareaWidget:
    return UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "auto"})


class NamesForm(forms.Form):
    names = forms.CharField(
        widget=UnfoldAdminTextareaWidget(
            attrs={"rows": 6, "dir": "auto", "placeholder": "amal\nbasil\nأمينة"}
        ),
        max_length=700_000,  # 10,000 names
        help_text="One name a line, or between commas. Players who are in already are passed over.",
    )


class SeedForm(forms.Form):
    """What of an entry may change before the start. `partner`: of fixed pairs alone."""

    partner = forms.CharField(max_length=150, widget=UnfoldAdminTextInputWidget(attrs={"dir": "auto"}))
    seed_rating = forms.FloatField(
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal"}),
        help_text="Orders the first draw; empty: the rating at the start.",
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not tournament.pairs:
            del self.fields["partner"]


class EntryForm(SeedForm):
    """One entry, by an official."""

    name = forms.CharField(
        label="Player", max_length=150, widget=UnfoldAdminTextInputWidget(attrs={"dir": "auto"})
    )
    field_order = ("name", "partner", "seed_rating")


LARGEST_FILE = settings.DATA_UPLOAD_MAX_MEMORY_SIZE - 100_000  # bytes; the page that confirms sends it again


class FileForm(forms.Form):
    """The text of a CSV file, or the file itself."""

    text = forms.CharField(
        required=False,
        strip=False,
        widget=UnfoldAdminTextareaWidget(
            attrs={"rows": 10, "dir": "ltr", "placeholder": "player,seed_rating\namal,1650\nأمينة,"}
        ),
    )
    file = forms.FileField(required=False, label="or a file")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file is not None:
            cleaned["text"] = self._text(file)
        text = cleaned.get("text") or ""
        if not text and not self.errors:
            raise ValidationError("Paste a text or choose a file.")
        if len(text.encode()) > LARGEST_FILE:
            raise ValidationError(f"That is too large: at most {LARGEST_FILE} bytes. Divide it.")
        return cleaned

    def _text(self, file: UploadedFile) -> str:
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise ValidationError("The file is not UTF-8: save it as CSV UTF-8.") from error


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextInputWidget(attrs={"dir": "auto", "placeholder": "Why"}),
    )


class PenaltyForm(ReasonForm):
    name = forms.CharField(
        label="Player", max_length=150, widget=UnfoldAdminTextInputWidget(attrs={"dir": "auto"})
    )
    points = forms.DecimalField(
        max_digits=8,
        widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal", "placeholder": "-1.5"}),
        help_text="Whole quarters: below 0 a penalty, above a bonus. They count in the first metric.",
    )
    field_order = ("name", "points", "reason")


class OfficialsForm(forms.Form):
    """Names of each role, one a line or between commas."""

    organisers = forms.CharField(widget=_names(), help_text="May do everything. One must be left.")
    assistants = forms.CharField(
        required=False, widget=_names(), help_text="Run it: entries, check-in, draws and rounds."
    )
    referees = forms.CharField(
        required=False, widget=_names(), help_text="Judge: results, penalties, substitutes, no-shows."
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        return {role: [name for name in SEPARATORS.split(text) if name] for role, text in cleaned.items()}


class ResultForm(forms.Form):
    """Four scores and a reason. `replaces` carries the result that the organiser was shown."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Why it is entered by hand"}),
    )
    replaces = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, table: Table) -> None:
        counting = table.counting[0] if table.counting else None  # type: ignore[attr-defined]
        super().__init__(data, initial={"replaces": counting and counting.pk})
        scores = counting and counting.scores
        for seat in table.seats.all():
            if seat.is_empty:
                continue
            self.fields[f"score_{seat.index}"] = forms.IntegerField(
                label=f"{SEAT_TITLES[seat.index]}: {seat.name}",
                min_value=-LARGEST_SCORE,
                max_value=LARGEST_SCORE,
                initial=scores[seat.index] if scores else None,
                widget=UnfoldAdminIntegerFieldWidget,
            )

    def arguments(self) -> dict[str, Any]:
        """The arguments of `enter_result` that the organiser gave."""
        data = self.cleaned_data
        return {
            "scores": [data.get(f"score_{index}") for index in range(4)],
            "reason": data["reason"],
            "replaces": data["replaces"],
        }

    def scores(self) -> list[Any]:
        return [self[name] for name in self.fields if name.startswith("score_")]


class RecordForm(forms.Form):
    """A `.trix` record, as a file or as text."""

    file = forms.FileField(required=False, label="A .trix file")
    text = forms.CharField(
        required=False,
        strip=False,
        max_length=LONGEST_RECORD,
        label="Or its text",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "ltr", "spellcheck": "false"}),
    )
    reason = forms.CharField(
        max_length=LONGEST_REASON, widget=UnfoldAdminTextInputWidget(attrs={"dir": "auto"})
    )
    replaces = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def arguments(self) -> dict[str, Any]:
        """The arguments of `import_record` that the organiser gave."""
        data = self.cleaned_data
        # What is no UTF-8 stays what it is, for the reader of records to refuse with its line.
        record = data["file"].read().decode(errors="surrogateescape") if data["file"] else data["text"]
        return {"record": record, "reason": data["reason"], "replaces": data["replaces"]}
