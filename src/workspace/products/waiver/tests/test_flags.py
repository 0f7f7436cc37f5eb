"""Flagged answers are shown at check-in and in lists, and are not part of the signed document."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.waiver.rules.flagged_answers import find_flagged, parse_flag_answers
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples


@pytest.mark.parametrize(
    ("flag", "answer", "told"),
    [
        (True, "Bees", "Bees"),
        (True, " None. ", None),
        (True, True, "Yes"),
        (True, False, None),
        (["no"], False, "No"),
        (["no"], True, None),
        ("nuts", ["Nuts", "Bees"], "Nuts, Bees"),
        (["Nuts"], ["Bees"], None),
        (False, "Bees", None),
    ],
)
def test_a_flag_matches_the_named_answers_or_any_answer_but_no(flag: Any, answer: Any, told: str | None) -> None:
    question = {"key": "q", "label": "Allergies", "flag": parse_flag_answers(flag)}
    flagged_answers = find_flagged([question], {"q": answer})
    assert flagged_answers == ([{"label": "Allergies", "answer": told}] if told else [])
    assert find_flagged([question], {}) == []


@pytest.mark.parametrize("wrong", [1, [1], {}, [""], ["x"] * 51])
def test_an_invalid_flag_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="Use true"):
        parse_flag_answers(wrong)


@pytest.mark.django_db
def test_check_in_shows_flagged_answers_and_a_flag_creates_no_new_version(api: Api) -> None:
    ask = {"key": "ill", "label": "Epilepsy?", "type": "yes_no"}
    made = api.run("svc_waiver_create", title="Kayak", text="Be careful", questions=[ask])
    samples.sign(made["id"], api.account, answers={"ill": True})
    assert api.run("svc_waiver_check", who="Ada King")["people"][0]["waivers"][0]["flagged"] == []
    after = api.run("svc_waiver_edit", id=made["id"], questions=[{**ask, "flag": True}])
    assert after["version"] == 1 and after["questions"][0]["flag"] is True
    told = [{"label": "Epilepsy?", "answer": "Yes"}]
    status, whole = api.post("call", {"name": "svc_waiver_check", "arguments": {"who": "Ada King"}})
    assert status == 200 and whole["data"]["people"][0]["waivers"][0]["flagged"] == told
    assert "FLAGGED: Epilepsy? Yes" in whole["text"]
    assert api.run("svc_waiver_search", q="ada")["items"][0]["flagged"] == told
    assert "flag" not in api.run("svc_waiver_get", id=made["id"], version=1)["shown"]["body"]
