from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workspace.lib.ids import new_id, new_slug
from workspace.lib.text import escape_markdown, has_control_characters, search_key
from workspace.lib.web_address import clean_web_address


def test_folding_finds_café_by_cafe() -> None:
    assert search_key("Café CRÈME") == "cafe creme"
    assert search_key("ＦＵＬＬ") == "full"
    assert search_key("Straße") == "strasse"
    assert (
        search_key("Łódź") == "lodz"
        and search_key("Sørensen") == "sorensen"
        and search_key("AYDIN") == search_key("Aydın")
    )


def test_folding_unifies_variants_of_an_arabic_word() -> None:
    assert search_key("مَطْعَم") == search_key("مطعم") == search_key("مـطـعـم")
    assert search_key("أحمد") == search_key("احمد")
    assert search_key("قهوة") == search_key("قهوه")
    assert search_key("١٢٣ ۱۲۳") == "123 123"


def test_folding_unifies_wide_and_narrow_kana() -> None:
    assert search_key("ｶﾌｪ") == search_key("カフェ")
    assert search_key("ラーメ") in search_key("特製ラーメン")


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert search_key(search_key(text)) == search_key(text)


def test_control_characters_and_bidirectional_overrides_are_detected() -> None:
    assert has_control_characters("a\nb")
    assert not has_control_characters("a\nb", multiline=True)
    assert has_control_characters("a\u202eb")
    assert not has_control_characters("naïve 日本 🎉")


@given(st.text())
def test_a_web_address_is_normalized_or_rejected_with_a_short_text(text: str) -> None:
    try:
        found = clean_web_address(text)
    except ValueError as problem:
        assert 0 < len(str(problem)) < 100
    else:
        assert found.startswith(("http://", "https://"))
        assert found.isascii()
        assert clean_web_address(found) == found


def test_ids_sort_by_time_and_never_repeat() -> None:
    ids = [new_id("qr") for _ in range(1000)]
    assert len(set(ids)) == 1000
    assert all(len(one) == 29 and one.startswith("qr_") for one in ids)
    assert ids == sorted(ids)


def test_slugs_have_no_similar_characters() -> None:
    letters = set("".join(new_slug() for _ in range(500)))
    assert not letters & set("01ilo")


def test_an_id_in_a_text_stays_copyable() -> None:
    id = new_id("tab")
    assert escape_markdown(f"*{id}*, {id}.") == rf"\*{id}\*, {id}."
    assert escape_markdown(f"_{id}_ tab_1 {id}x") == rf"\_{id[:3]}\_{id[4:]}\_ tab\_1 {id[:3]}\_{id[4:]}x"


def test_an_owners_text_does_not_become_markup() -> None:
    assert escape_markdown("*a* [b](c) <d>\n# e") == r"\*a\* \[b\](c) \<d\> \# e"
