"""House rules as options: the presets' table, overrides read strictly, texts that come back equal."""

import json
from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    PRESETS,
    Contract,
    OptionError,
    Options,
    format_overrides,
    options_for,
    overrides_of,
    parse_options,
)
from tests.engine.strategies import OPTION_VALUES, options, overrides, presets

# The table of the rules page, row by row.
EXTRAS_OFF = {
    "forced_strict": False,
    "lead_restriction": "none",
    "must_dump": False,
    "exposed_twos": False,
    "redeal": "none",
    "capot": False,
    "equal_count": "next",
    "early_end": True,
    "king_value": 75,
    "queen_value": 25,
    "diamond_value": 10,
    "trick_value": 15,
    "trix_values": (200, 150, 100, 50),
}
TABLE = {
    # preset: kingdom, partners, doubling, self_take where it doubles, trix_end, tie
    "dananeer": ("classic", False, True, "leader", "all", "shared"),
    "dananeer-complex": ("complex", False, False, None, "all", "shared"),
    "eram": ("classic", False, True, "plain", "third", "draw"),
    "cardkings": ("classic", False, False, None, "third", "shared"),
    "cardkings-complex": ("complex", False, False, None, "third", "shared"),
    "cardkings-partners": ("classic", True, False, None, "third", "shared"),
    "cardkings-complex-partners": ("complex", True, False, None, "third", "shared"),
}


def test_there_are_seven_presets() -> None:
    assert set(PRESETS) == set(TABLE)


@pytest.mark.parametrize("preset", sorted(TABLE))
def test_a_preset_is_its_column_of_the_table(preset: str) -> None:
    kingdom, partners, doubling, self_take, trix_end, tie = TABLE[preset]
    chosen = PRESETS[preset]
    assert (chosen.kingdom, chosen.partners, chosen.doubling) == (kingdom, partners, doubling)
    assert (chosen.trix_end, chosen.tie) == (trix_end, tie)
    assert self_take is None or chosen.self_take == self_take
    values = asdict(chosen)
    assert {name: values[name] for name in EXTRAS_OFF} == EXTRAS_OFF
    assert options_for(preset) == chosen


@pytest.mark.parametrize("preset", sorted(TABLE))
def test_the_contracts_and_deals_of_a_preset(preset: str) -> None:
    chosen = PRESETS[preset]
    if TABLE[preset][0] == "complex":
        assert [contract.text for contract in chosen.contracts] == ["complex", "trix"]
        assert chosen.deals == 8
    else:
        names = [contract.text for contract in chosen.contracts]
        assert names == ["king", "queens", "diamonds", "ltoosh", "trix"]
        assert chosen.deals == 20


def test_the_strategies_know_every_option() -> None:
    assert set(OPTION_VALUES) == {field.name for field in fields(Options)}


def test_contracts_are_known_by_lower_case_names() -> None:
    assert [contract.text for contract in Contract] == [
        "king",
        "queens",
        "diamonds",
        "ltoosh",
        "trix",
        "complex",
    ]


# -- reading overrides -------------------------------------------------------------------------


def test_overrides_replace_single_options() -> None:
    chosen = options_for("eram", {"trix_end": "all", "doubling": False, "king_value": 100})
    assert (chosen.trix_end, chosen.doubling, chosen.king_value) == ("all", False, 100)
    assert chosen.self_take == PRESETS["eram"].self_take


@given(presets, overrides())
def test_texts_and_json_values_of_an_override_mean_the_same(preset: str, values: dict[str, object]) -> None:
    from_json = options_for(preset, json.loads(json.dumps(values)))
    text = " ".join(f"{name}={in_words(value)}" for name, value in values.items())
    assert from_json == options_for(preset, parse_options(text))
    for name, value in values.items():
        assert getattr(from_json, name) == value


def in_words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return str(value)


@given(presets, options())
def test_what_differs_from_a_preset_is_written_and_read_back(preset: str, chosen: Options) -> None:
    text = format_overrides(preset, chosen)
    assert options_for(preset, parse_options(text)) == chosen
    assert options_for(preset, overrides_of(preset, chosen)) == chosen
    assert format_overrides(preset, options_for(preset, parse_options(text))) == text


@pytest.mark.parametrize("preset", sorted(TABLE))
def test_a_preset_differs_from_itself_in_nothing(preset: str) -> None:
    assert format_overrides(preset, PRESETS[preset]) == ""
    assert overrides_of(preset, PRESETS[preset]) == {}


def test_the_text_of_overrides_is_canonical() -> None:
    """The order of the table, whatever order they came in."""
    chosen = options_for("dananeer", parse_options("trix_values=20/15/10/5 early_end=off doubling=off"))
    assert format_overrides("dananeer", chosen) == "doubling=off early_end=off trix_values=20/15/10/5"


def test_an_override_equal_to_the_preset_is_not_written() -> None:
    assert format_overrides("dananeer", options_for("dananeer", {"king_value": 75, "doubling": "on"})) == ""


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["", "Dananeer", "eram ", "trix", "طرنيب", "\0", None, [], {}, 1])
def test_unknown_rules(preset: object) -> None:
    with pytest.raises(OptionError, match="cardkings-complex-partners") as refused:
        options_for(preset)  # type: ignore[arg-type]
    assert refused.value.code == "unknown_rules"


@pytest.mark.parametrize("name", ["", "doublings", "Doubling", "contracts", "deals", "__class__", "الملك"])
def test_unknown_option(name: str) -> None:
    with pytest.raises(OptionError, match="early_end") as refused:
        options_for("dananeer", {name: "on"})
    assert refused.value.code == "unknown_option"


@pytest.mark.parametrize(
    "text", ["early_end", "=on early_end", "early_end=on early_end=on", "early_end = on"]
)
def test_words_that_are_no_option(text: str) -> None:
    with pytest.raises(OptionError) as refused:
        options_for("dananeer", parse_options(text))
    assert refused.value.code == "unknown_option"


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\n", "\x1f"])
def test_only_spaces_and_tabs_separate_words(blank: str) -> None:
    assert parse_options(" early_end=off \t capot=on ") == {"early_end": "off", "capot": "on"}
    with pytest.raises(OptionError) as refused:
        options_for("dananeer", parse_options(f"early_end=off{blank}capot=on"))
    assert refused.value.code == "bad_option_value"


ENDLESS = "x" * 100_000


@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        (ENDLESS, {}),
        ("eram", {ENDLESS: "on"}),
        ("eram", {"early_end": ENDLESS}),
        ("eram", {"kingdom": [ENDLESS]}),
        ("eram", {"king_value": ENDLESS}),
        ("eram", {"trix_values": [ENDLESS]}),
        ("eram", {"trix_values": [1, 2, 3, ENDLESS]}),
    ],
)
def test_messages_cut_what_is_endless(preset: str, changed: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="x…") as refused:
        options_for(preset, changed)
    assert len(refused.value.message) < 500


def test_words_without_an_end_are_cut_in_messages() -> None:
    with pytest.raises(OptionError, match="x…") as refused:
        parse_options(ENDLESS)
    assert len(refused.value.message) < 300


def test_a_fault_in_one_of_the_trix_values_is_said_of_it() -> None:
    with pytest.raises(OptionError, match=r"^each of trix_values is a number of points .* not 'a'\.$"):
        options_for("dananeer", {"trix_values": "200/a/100/50"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("early_end", "yes"),
        ("early_end", "ON"),
        ("early_end", ""),
        ("early_end", 1),
        ("early_end", None),
        ("early_end", ["on"]),
        ("early_end", {"on": True}),
        ("trix_end", "first"),
        ("trix_end", True),
        ("trix_end", None),
        ("trix_end", []),
        ("trix_end", {}),
        ("self_take", "Leader"),
        ("kingdom", "trix"),
        ("king_value", -1),
        ("king_value", 1001),
        ("king_value", "1001"),
        ("king_value", "-75"),
        ("king_value", "7.5"),
        ("king_value", 75.0),
        ("king_value", float("nan")),
        ("king_value", True),
        ("king_value", ""),
        ("king_value", "²"),
        ("king_value", "٧٥"),
        ("king_value", "9" * 5000),
        ("king_value", 10**100),
        ("king_value", None),
        ("trix_values", "200/150/100"),
        ("trix_values", "200/150/100/50/0"),
        ("trix_values", "200/150/100/"),
        ("trix_values", [200, 150, 100]),
        ("trix_values", [200, 150, 100, -50]),
        ("trix_values", [200, 150, 100, [50]]),
        ("trix_values", {"1": 200, "2": 150, "3": 100, "4": 50}),
        ("trix_values", 200),
        ("trix_values", None),
    ],
)
def test_bad_option_values(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=name) as refused:
        options_for("dananeer", {name: value})
    assert refused.value.code == "bad_option_value"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(OPTION_VALUES)) | st.text(), JSON, max_size=3))
def test_any_json_is_read_or_refused_with_a_code(values: dict[str, object]) -> None:
    try:
        chosen = options_for("dananeer", values)
    except OptionError as error:
        assert error.code in ("unknown_option", "bad_option_value")
    else:
        assert options_for("dananeer", parse_options(format_overrides("dananeer", chosen))) == chosen


def test_a_split_wants_points_that_can_be_halved() -> None:
    with pytest.raises(OptionError, match="even sum") as refused:
        options_for("cardkings-partners", {"equal_count": "split", "trix_values": "200/150/100/55"})
    assert refused.value.code == "bad_option_value"
    options_for("cardkings-partners", {"equal_count": "next", "trix_values": "200/150/100/55"})
    options_for("cardkings-partners", {"equal_count": "split", "trix_values": "201/150/101/55"})
