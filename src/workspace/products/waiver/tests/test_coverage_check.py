"""The coverage check, and the changes that affect its result."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest

from workspace.lib import clock
from workspace.products.waiver.api.text import format_person
from workspace.products.waiver.models import Signature
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiver(api: Api) -> str:
    api.run("svc_account_edit", country="AT")
    return str(api.run("svc_waiver_create", title="Kayak", text="Be careful")["id"])


def signer(name: str = "Ada King", **more: str) -> dict[str, str]:
    return {"name": name, "email": "ada@example.com", "birth_date": "1990-05-01", **more}


def check(api: Api, who: str) -> str:
    return str(api.run("svc_waiver_check", who=who)["verdict"])


def reasons(api: Api, who: str) -> list[str]:
    return [
        waiver["reason"] for person in api.run("svc_waiver_check", who=who)["people"] for waiver in person["waivers"]
    ]


def test_a_person_is_found_by_full_name_email_and_phone(api: Api, stranger: Api, waiver: str) -> None:
    samples.sign(waiver, api.account, signer=signer("Anna-Zoë O'Brien", phone="0660 1234567"))
    for who in ("anna zoe obrien", "O’BRIEN, Anna", "zoë", "Ada@Example.com", "+43 660 1234567", "0043 660 123 45 67"):
        result = api.run("svc_waiver_check", who=who)
        assert (result["verdict"], result["waiver_id"]) == ("valid", waiver), who
        assert result["people"][0]["birth_year"] == 1990 and "ada@" not in str(result)
    for who in ("ann", "anna smith", "ada@example.co", "%", "_", "ob", "+43 660 1234568", "annaobrien"):
        assert check(api, who) == "none", who
    assert check(stranger, "anna zoe obrien") == "none"


def test_several_matching_people_are_listed_instead_of_a_plain_yes(api: Api, waiver: str) -> None:
    samples.sign(waiver, api.account, signer=signer())
    samples.sign(waiver, api.account, signer=signer(birth_date="1970-01-01", email="other@example.com"))
    result = api.run("svc_waiver_check", who="ada king")
    assert (result["verdict"], result["waiver_id"]) == ("several", None)
    assert {person["birth_year"] for person in result["people"]} == {1990, 1970}
    assert check(api, "other@example.com") == "valid"
    samples.sign(waiver, api.account, signer=signer("KING, Ada"))  # a second signature of the same person
    assert len(api.run("svc_waiver_check", who="ada king")["people"]) == 2


def test_a_guardians_email_and_name_find_her_children(api: Api, waiver: str) -> None:
    both = [samples.child(), samples.child("Eve King", "2018-03-04")]
    samples.sign(waiver, api.account, signer=signer(), participants=both)
    for who in ("ada@example.com", "Ada King"):
        result = api.run("svc_waiver_check", who=who)
        assert result["verdict"] == "several"
        assert sorted((person["name"], person["covered_by"]) for person in result["people"]) == [
            ("Eve King", "Ada King"),
            ("Tim King", "Ada King"),
        ]
    assert check(api, "tim king") == "valid"
    assert check(api, "tim ada") == "none", "the words are of one name"


def test_one_sibling_can_be_voided_separately_with_a_reason(api: Api, waiver: str) -> None:
    both = [samples.child(), samples.child("Eve King", "2018-03-04")]
    samples.sign(waiver, api.account, signer=signer(), participants=both)
    tim = Signature.objects.get(name="Tim King")
    told = api.run("svc_waiver_void", signature_ids=[tim.pk], reason="Wrong child", ask_again=True)
    assert told["mailed"] == 1 and told["voided"][0]["reason"] == "voided"
    assert (check(api, "tim king"), check(api, "eve king")) == ("invalid", "valid")
    said = [
        "".join(format_person(api.run("svc_waiver_check", who=f"{item} king")["people"][0])) for item in ("tim", "eve")
    ]
    assert " until " not in said[0] and "valid until " in said[1], "what does not count has no end to wait for"
    api.run("svc_waiver_void", signature_ids=[tim.pk], reason="Another reason")
    assert api.run("svc_waiver_get", id=tim.pk)["signed"]["void_reason"] == "Wrong child"
    assert "voided" in api.refuse("svc_waiver_record_visit", signature_id=tim.pk)["message"]


def test_a_material_change_outdates_signatures_and_a_correction_does_not(api: Api, waiver: str) -> None:
    samples.sign(waiver, api.account, signer=signer())
    refused = api.refuse("svc_waiver_edit", id=waiver, text="Be very careful")
    assert refused["issues"][0]["path"] == "material"
    api.run("svc_waiver_edit", id=waiver, text="Be careful!", material=False)
    assert check(api, "ada king") == "valid"
    api.run("svc_waiver_edit", id=waiver, text="Be very careful", material=True)
    assert (check(api, "ada king"), reasons(api, "ada king")) == ("invalid", ["outdated"])
    got = api.run("svc_waiver_get", id=waiver, version=1)
    assert [version["number"] for version in got["versions"]] == [3, 2, 1] and "+Be very careful" in got["shown"][
        "diff"
    ]
    other = api.run("svc_waiver_create", title="Climbing", text="Hold on")["id"]
    samples.sign(other, api.account, signer=signer())
    result = api.run("svc_waiver_check", who="ada king")
    assert (result["verdict"], result["waiver_id"]) == ("valid", other)
    assert [waiver["reason"] for waiver in result["people"][0]["waivers"]] == ["valid", "outdated"]
    samples.sign(waiver, api.account, signer=signer())
    assert sorted(reasons(api, "ada king")) == ["valid", "valid"]


def test_validity_changes_with_time(api: Api, waiver: str, time_machine: Any) -> None:
    time_machine.move_to("2026-06-01T12:00:00Z")
    young = samples.child("Tim King", "2008-11-21")
    samples.sign(waiver, api.account, signer=signer(), participants=[young], signer_participates=True)
    time_machine.move_to("2026-11-22T12:00:00Z")
    assert (reasons(api, "tim king"), reasons(api, "ada king")) == (["of_age"], ["valid"])
    for state, count in (("of_age", 1), ("valid", 1), ("expiring", 0), ("expired", 0), ("voided", 0), ("outdated", 0)):
        assert api.run("svc_waiver_search", state=state)["total"] == count, state
    time_machine.move_to("2027-05-20T12:00:00Z")
    assert api.run("svc_waiver_search", state="expiring")["total"] == 1
    time_machine.move_to(clock.now() + timedelta(days=20))
    assert reasons(api, "ada king") == ["expired"] and api.run("svc_waiver_search", state="expired")["total"] == 2


def test_an_archived_waiver_covers_no_one_and_retains_its_signatures(api: Api, waiver: str) -> None:
    signing = samples.sign(waiver, api.account, signer=signer())
    api.run("svc_waiver_delete", ids=[waiver])
    assert api.run("svc_waivers_list")["items"] == [] and check(api, "ada king") == "none"
    assert api.run("svc_waiver_signatures", id=waiver)["total"] == 1
    assert api.run("svc_waiver_get", id=signing.signatures.get().pk)["archived"] is True
    api.run("svc_undo")
    assert check(api, "ada king") == "valid"


def test_the_search_finds_beginnings_of_words_and_attendance_is_recorded(api: Api, waiver: str) -> None:
    signature = samples.sign(
        waiver, api.account, signer=signer("Anna Zoë King", phone="+43 660 1234567")
    ).signatures.get()
    for q in ("zo", "ann ki", "ADA@", "ada", "king zoe", "+43 660", "6601 23", "4366012 king", "k ada@ex", "zoë-king"):
        for more in ({}, {"waiver_id": waiver}, {"state": "valid"}):
            assert api.run("svc_waiver_search", q=q, **more)["total"] == 1, (q, more)
    for q in ("%", "_", "oe", "zo kong", "king bob@", "661", "ada%", "王"):
        assert api.run("svc_waiver_search", q=q)["total"] == 0, q
    assert api.run("svc_waiver_search", state="minor")["total"] == 0
    child = samples.child("王小明", "2019-02-28")
    samples.sign(waiver, api.account, signer=signer(), participants=[child])
    for q in ("小明", "王小", "ada"):
        assert api.run("svc_waiver_search", q=q, state="minor")["total"] == 1, q
    assert api.run("svc_waiver_record_visit", signature_id=signature.pk)["was"] == "valid"
    assert len(api.run("svc_waiver_get", id=signature.pk)["signed"]["visits"]) == 1
    assert api.run("svc_waiver_export", kind="visits", id=waiver)["rows"] == 1
    questions = [
        {"key": "swims", "label": "Can you swim?", "type": "yes_no"},
        {"key": "boats", "label": "Boats", "type": "multi_choice", "options": ["Kayak", "Canoe"]},
        {"key": "size", "label": "Size"},
    ]
    api.run("svc_waiver_edit", id=waiver, questions=questions)
    answers = {"swims": True, "boats": ["Kayak", "Canoe"], "size": "M"}
    samples.sign(waiver, api.account, signer=signer("Bob Low"), answers=answers)
    api.run("svc_waiver_edit", id=waiver, questions=questions[:2])
    content = api.run("svc_waiver_export", kind="signatures", id=waiver)["content"].removeprefix("\ufeff")
    bob, *_, anna = csv.DictReader(io.StringIO(content))
    lines = [bob[name] for name in ("participant", "Can you swim?", "Boats", "size")]
    assert lines == ["Bob Low", "yes", "Kayak, Canoe", "M"], "a column a question, one that is gone by its key"
    assert "Anna Zo" in anna["participant"] and anna["Boats"] == ""
