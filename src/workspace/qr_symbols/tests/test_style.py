import pytest
from pydantic import ValidationError

from workspace.qr_symbols.style import PRESETS, Style


def test_every_field_has_a_default_and_a_description():
    fields = Style.model_json_schema()["properties"]
    assert fields
    assert all("default" in field and field["description"] for field in fields.values())


def test_a_style_survives_a_json_round_trip():
    for style in PRESETS.values():
        assert Style.model_validate_json(style.model_dump_json()) == style


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("foreground", "red"),
        ("foreground", "#fff"),
        ("foreground", '#000000"/><script>'),
        ("foreground", "#000000\n"),
        ("foreground", "transparent"),
        ("background", "url(#x)"),
        ("gradient_angle", 360),
        ("modules", "triangle"),
        ("caption", "x" * 31),
        ("caption", "a\x00b"),
        ("caption", "a\u202eb"),
        ("logo_share", 0.23),
        ("logo_padding", -1),
        ("logo", "data:"),
    ],
)
def test_an_unsafe_value_is_rejected(field, value):
    with pytest.raises(ValidationError):
        Style(**{field: value})


def test_colors_are_stored_in_lower_case():
    assert Style(foreground="#AABBCC").foreground == "#aabbcc"


def test_a_caption_is_one_line():
    assert Style(caption="  Scan\n me ").caption == "Scan me"


def test_a_style_is_hashable_as_a_cache_key():
    assert hash(Style(modules="dots")) == hash(Style(modules="dots"))
    with pytest.raises(ValidationError):
        Style().foreground = "#ffffff"


def test_there_are_ten_different_presets():
    assert len(PRESETS) == len(set(PRESETS.values())) == 10
