"""Guest lists are imported as people write them, and uncertain lines become questions."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.lib.tabular import workbook_reader
from workspace.testing.api import Api
from workspace.testing.samples.seat import make_chart

pytestmark = pytest.mark.django_db

LIST = """Tisch;Nachname;Vorname;Haushalt;Hauptgang;E-Mail;Zusage;Diät
1;Berg;Anna;Berg;Fisch;anna@example.com;ja;vegan, no nuts
1;Berg;Ben;Berg;;;ja;
9;Moor;Carla +1;;;;;
1;Sand;Doris;;;;nein;
"""


def import_guests(api: Api, id: str, csv: str, **more: Any) -> Any:
    return api.run("svc_seat_save_guests", event_id=id, csv=csv, **more)


def guests_by_name(api: Api, id: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in api.run("svc_seat_guests", event_id=id, limit=200)["items"]}


def test_columns_are_found_in_any_order_and_language_and_companions_get_a_seat(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    tried = import_guests(api, id, LIST, dry_run=True)
    assert tried["added"] == 5 and guests_by_name(api, id) == {}
    assert [(question["line"], question["accept"]) for question in tried["questions"]] == [(4, "tables")]
    done = import_guests(api, id, LIST, accept=["tables"])
    assert done["questions"] == [] and done["did_not_fit"] == 0
    result = guests_by_name(api, id)
    anna = result["Anna Berg"]
    assert (anna["table"], anna["party"], anna["meal"], anna["reply"]) == ("1", "Berg", "Fisch", "yes")
    assert (anna["diet"], anna["notes"], anna["email"]) == (["vegan"], "no nuts", "anna@example.com")
    companion = result["Guest of Carla Moor"]
    assert companion["placeholder"] and companion["party"] == result["Carla Moor"]["party"]
    assert companion["table"] == "9" and result["Doris Sand"]["table"] == ""


def test_importing_the_same_list_again_updates_its_guests(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    import_guests(api, id, LIST, accept=["tables"])
    again = import_guests(api, id, LIST.replace("Fisch", "Linsen").replace("Anna;", "Annette;"))
    assert (again["added"], len(guests_by_name(api, id))) == (0, 5)
    assert guests_by_name(api, id)["Annette Berg"]["meal"] == "Linsen"  # matched by her email
    assert import_guests(api, id, LIST, match=False)["added"] == 5


def test_couples_in_one_line_and_repeated_names_become_questions(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    text = "name,party\nAnna & Ben Berg,\nCleo Sand plus 2,Sand\nEva Moor,M\nEva Moor,M\nMax and guest,\n"
    done = import_guests(api, id, text, dry_run=True)
    assert [(question["line"], question["accept"]) for question in done["questions"]] == [(2, "split"), (5, "repeated")]
    import_guests(api, id, text, accept=["split", "repeated"])
    result = guests_by_name(api, id)
    assert result["Anna Berg"]["party"] == result["Ben Berg"]["party"] == "Anna & Ben Berg"
    assert {"Guest of Cleo Sand (1)", "Guest of Cleo Sand (2)", "Guest of Max"} <= set(result)
    assert sum(row["name"] == "Eva Moor" for row in api.run("svc_seat_guests", event_id=id)["items"]) == 2


def test_companions_and_children_get_the_names_in_the_list(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    text = (
        "First name,Last name,Plus one,Kids,Meal choice,Mobile number\nAnna,Berg,{},2,Fish,0664 123\nCleo,Sand,no,,,\n"
    )
    import_guests(api, id, text.format("yes"))
    assert set(guests_by_name(api, id)) == {
        "Anna Berg", "Guest of Anna Berg", "Child of Anna Berg (1)", "Child of Anna Berg (2)", "Cleo Sand"
    }  # fmt: skip
    assert (
        guests_by_name(api, id)["Anna Berg"]["meal"] == "Fish"
        and guests_by_name(api, id)["Child of Anna Berg (2)"]["chair"] == "child"
    )
    stored = guests_by_name(api, id)["Guest of Anna Berg"]["id"]
    assert guests_by_name(api, id)["Guest of Anna Berg"]["sort_name"] == "Berg, Anna (guest)"
    assert import_guests(api, id, text.format("Ben Moor"))["added"] == 0
    ben = guests_by_name(api, id)["Ben Moor"]  # named now, with the seat of the placeholder
    assert (ben["id"], ben["placeholder"], ben["party"]) == (stored, False, "Anna Berg")
    assert ben["sort_name"] == "Moor, Ben"
    both = import_guests(api, id, "name,companions,children\nDan Quist,Eva Moor and Finn Moor,Gil\n", dry_run=True)[
        "items"
    ]
    assert [(row["name"], row["chair"]) for row in both] == [
        ("Dan Quist", ""), ("Eva Moor", ""), ("Finn Moor", ""), ("Gil", "child")
    ]  # fmt: skip


def test_guests_beyond_the_capacity_of_a_table_are_added_but_not_seated(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    text = "name,table\n" + "".join(f"Guest {number},Table 1\n" for number in range(6))
    done = import_guests(api, id, text)
    assert [question["text"] for question in done["questions"]] == [
        f"Table 1 has no free seat for Guest {number}, who stays unseated." for number in (4, 5)
    ]
    assert api.run("svc_seat_tables", event_id=id)["items"][0]["guest_count"] == 4


def test_an_exported_list_can_be_imported_unchanged(api: Api) -> None:
    chart = make_chart(api, courses=[{"name": "Main", "choices": ["Fish"]}, {"name": "Dessert"}])
    id = chart["chart"]["id"]
    import_guests(api, id, LIST, accept=["tables"])
    [item] = api.run("svc_seat_guests", event_id=id, q="anna")["items"]
    fields = {
        "id": item["id"],
        "meals": ["Fish", "Cake"],
        "seat": 2,
        "tags": ["vip"],
        "chair": "high",
        "wheelchair": True,
    }
    api.run("svc_seat_save_guests", event_id=id, items=[fields])
    csv = api.run("svc_seat_export", event_id=id, kind="guests")["content"]
    other = make_chart(api, 1, courses=[{"name": "Main", "choices": ["Fish"]}, {"name": "Dessert"}])["chart"]["id"]
    import_guests(api, other, csv, accept=["tables"])
    apart = {"id", "table_id"}
    theirs, ours = guests_by_name(api, other), guests_by_name(api, id)
    assert {name: {k: v for k, v in row.items() if k not in apart} for name, row in theirs.items()} == {
        name: {k: v for k, v in row.items() if k not in apart} for name, row in ours.items()
    }


def test_meal_counts_add_up_to_the_guests(api: Api) -> None:
    chart = make_chart(api, courses=[{"name": "Main", "choices": ["Fish", "Lentils"]}])
    id = chart["chart"]["id"]
    import_guests(api, id, "name,table,meal,reply\nA,1,fish,yes\nB,1,Lentils,\nC,2,Fish,\nD,,,\nE,,Fish,no\n")
    lines = api.run("svc_seat_export", event_id=id, kind="meals")["content"].splitlines()
    assert "Main,1,Fish,1" in lines and "Main,2,Fish,1" in lines
    totals = {line.split(",")[-2]: int(line.split(",")[-1]) for line in lines if "All tables" in line}
    assert totals == {"Fish": 2, "Lentils": 1, "No meal yet": 1, "All guests": 4}


def test_a_chart_is_exported_as_a_workbook_and_as_pdfs(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    import_guests(api, id, "name,table\nAda Berg,1\n=SUM(A1),2\n")
    book = api.run("svc_seat_export", event_id=id, kind="guests", format="xlsx")
    content = api.client.get(book["file_url"].removeprefix("http://testserver")).content
    text, _ = workbook_reader.read_text(content)
    assert "Berg, Ada" in text and "=SUM(A1)" in text
    paper = api.run("svc_seat_export", event_id=id, kind="door_list")
    assert paper["media_type"] == "application/pdf" and paper["size"] > 1000
    refused = api.refuse("svc_seat_export", event_id=id, kind="poster", paper="a4")
    assert refused["issues"][0]["path"] == "paper"
