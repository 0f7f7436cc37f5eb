"""Coverage checks of several people in one call."""

from __future__ import annotations

import pytest

from workspace.products.waiver.rules.person_query import split_names
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed(api: Api) -> str:
    """Create a waiver that Ada King and Ben Ott have signed."""
    waiver = str(api.run("svc_waiver_create", title="Kayak", text="Be careful")["id"])
    for name in ("Ada King", "Ben Ott"):
        email = f"{name.split()[0].lower()}@example.com"
        samples.sign(waiver, api.account, signer={"name": name, "email": email, "birth_date": "1990-05-01"})
    return waiver


def test_each_person_of_a_list_is_checked(api: Api, signed: str) -> None:
    result = api.run("svc_waiver_check", who="", people=["Ada King", "Cara Diaz", "ben@example.com", "Ada King"])
    told = [(answer["who"], answer["verdict"], answer["waiver_id"]) for answer in result["answers"]]
    assert told == [("Ada King", "valid", signed), ("Cara Diaz", "none", None), ("ben@example.com", "valid", signed)]
    assert (result["verdict"], result["not_covered"], result["people"]) == ("each", ["Cara Diaz"], [])


@pytest.mark.parametrize("who", ["Ada King, Ben Ott", "Ada King and Ben Ott", "Ada King; Cara Diaz & Ben Ott"])
def test_each_of_several_names_in_who_is_checked(api: Api, signed: str, who: str) -> None:
    result = api.run("svc_waiver_check", who=who)
    valid = {answer["who"] for answer in result["answers"] if answer["verdict"] == "valid"}
    assert (result["verdict"], valid) == ("each", {"Ada King", "Ben Ott"})


@pytest.mark.parametrize("between", ["\n", "\r\n", "\r", "\n\n  ", ",\n"])
def test_each_line_of_a_pasted_list_is_checked(api: Api, signed: str, between: str) -> None:
    result = api.run("svc_waiver_check", who=between.join(["Ada King", "ben@example.com", "Cara Diaz", ""]))
    assert [answer["who"] for answer in result["answers"]] == ["Ada King", "ben@example.com", "Cara Diaz"]
    assert result["not_covered"] == ["Cara Diaz"]


def test_single_words_on_separate_lines_are_separate_people(api: Api, signed: str) -> None:
    assert [answer["who"] for answer in api.run("svc_waiver_check", who="Ada\nKing")["answers"]] == ["Ada", "King"]
    assert api.run("svc_waiver_check", who="Ada King\n,")["verdict"] == "valid"
    assert api.refuse("svc_waiver_check", who=",\n;")["issues"][0]["path"] == "who"


def test_a_line_names_one_person_or_several_as_it_would_alone(api: Api, signed: str) -> None:
    result = api.run("svc_waiver_check", who="King, Ada\nBen Ott and Cara Diaz", people=["Zoe Low"])
    assert [answer["who"] for answer in result["answers"]] == ["King, Ada", "Ben Ott", "Cara Diaz", "Zoe Low"]


def test_a_pasted_list_has_the_same_limit_as_people(api: Api, signed: str) -> None:
    names = [f"Guest Number {number}" for number in range(200)]
    assert len(api.run("svc_waiver_check", who="\n".join(names))["answers"]) == 200
    for refused in ("\n".join([*names, "Ada King"]), "Ada King\n" + "x" * 255, "x" * 255):
        [issue] = api.refuse("svc_waiver_check", who=refused)["issues"]
        assert issue["path"] == "who"


def test_the_text_lists_people_without_coverage_first(api: Api, signed: str) -> None:
    status, whole = api.post("waiver/check", {"who": "Ada King, Cara Diaz"})
    first, _, missing, covered = whole["text"].splitlines()
    assert status == 200 and first == "1 of 2 people have a valid waiver. Not covered: Cara Diaz."
    assert missing.startswith("- Cara Diaz: none") and covered.startswith("- Ada King: valid; Kayak, valid until ")


def test_a_check_of_one_person_returns_no_list_of_answers(api: Api, signed: str) -> None:
    assert set(api.run("svc_waiver_check", who="King, Ada")) == {"verdict", "people", "waiver_id"}
    assert api.run("svc_waiver_check", who="King, Zoe")["verdict"] == "none", "it is one name, and not two"
    assert api.refuse("svc_waiver_check", who="")["issues"][0]["path"] == "who"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Anna, Ben, Cara", ["Anna", "Ben", "Cara"]),
        ("ada@example.com, ben@example.com", ["ada@example.com", "ben@example.com"]),
        ("0660 1234567, 0660 7654321", ["0660 1234567", "0660 7654321"]),
        ("Anna Low und Ben Ott", ["Anna Low", "Ben Ott"]),
        ("Ada King", []),
        ("O'Brien, Anna-Zoë", []),
        ("Andrea Sandberg", []),
        ("John E Smith", []),
        (",;&", []),
    ],
)
def test_several_names_in_a_text_are_split(text: str, names: list[str]) -> None:
    assert split_names(text) == names
