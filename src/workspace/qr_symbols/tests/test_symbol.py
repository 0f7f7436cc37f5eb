import pytest

from workspace.qr_symbols.style import UnsafeStyleError
from workspace.qr_symbols.symbol import encode_symbol

LOWER = "https://go.example.com/q/k7m2pxa"


def test_an_upper_case_address_gives_a_smaller_symbol():
    assert encode_symbol(LOWER.upper()).mode == "alphanumeric"
    assert encode_symbol(LOWER.upper()).size < encode_symbol(LOWER).size


def test_a_logo_uses_the_highest_error_correction():
    assert encode_symbol(LOWER).level in "MQH"
    assert encode_symbol(LOWER, with_logo=True).level == "H"


def test_free_space_is_used_for_more_error_correction():
    assert encode_symbol("HTTPS://A.EU").level > "M"  # level Q, since M would give no smaller symbol


def test_a_short_text_is_never_a_micro_symbol():
    assert encode_symbol("1").size == 21


def test_alignment_patterns_are_found_by_their_center():
    assert encode_symbol("1").alignment == frozenset()
    assert encode_symbol("A" * 26).alignment == {(18, 18)}
    large = encode_symbol("A" * 170)
    assert large.size == 45
    assert large.alignment == {(22, 6), (6, 22), (22, 22), (22, 38), (38, 22), (38, 38)}


@pytest.mark.parametrize("text", ["", "x" * 4000, "\ud800"])
def test_a_text_that_fits_no_symbol_is_rejected_with_a_reason(text):
    with pytest.raises(UnsafeStyleError, match=r"needs|Shorten"):
        encode_symbol(text)
