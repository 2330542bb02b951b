"""docs/rules.md names what the engine knows: every option and value, preset and code."""

import re
from pathlib import Path

from games.engine import PRESETS, OptionError, RuleError, options_for
from games.engine.options import CHOICES, OPTION_NAMES

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def table(section: str) -> list[list[str]]:
    """The rows of a section's first table, cell by cell, without its rule."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\|(.*)\|$", text, flags=re.M)
    return [[cell.strip().strip("`") for cell in row.split("|")] for row in rows if "---" not in row]


def test_every_preset_is_its_column() -> None:
    head, *rows = table("Presets")
    assert set(head[1:]) == set(PRESETS)
    for column, preset in enumerate(head[1:], start=1):
        values = {row[0]: row[column] for row in rows if row[column]}
        assert PRESETS[preset].deals == int(values.pop("deals"))
        del values["from"]
        # The default of every option that the column leaves out.
        assert options_for(preset, values) == PRESETS[preset]
        assert options_for("cardkings", defaults() | values) == PRESETS[preset]


def defaults() -> dict[str, str]:
    """The first value of each option, which is its default."""
    first = {row[0]: row[1].split(",")[0] for row in table("Options")[1:] if " " not in row[0]}
    return {name: value for name, value in first.items() if name in OPTION_NAMES}


def test_every_option_and_its_values_are_named() -> None:
    names = {name for row in table("Options") for name in re.findall(r"\w+", row[0])}
    assert set(OPTION_NAMES) <= names
    for row in table("Options"):
        if row[0] in CHOICES:
            assert sorted(row[1].split(", ")) == sorted(CHOICES[row[0]])


def test_every_code_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.split("## Refusals")[1]))
    classes = [*RuleError.__subclasses__(), *OptionError.__subclasses__()]
    assert {error.code for error in classes} <= named
