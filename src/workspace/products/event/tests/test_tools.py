"""The tools for event programs."""

from __future__ import annotations

import io
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.tabular.list_parser import parse_list
from workspace.products.event.api import part_tools, stats_tools, tools
from workspace.products.event.rules.session_list_headings import SESSION_LIST
from workspace.testing.api import make_account
from workspace.testing.samples.event import DAYS

pytestmark = pytest.mark.django_db
FRIDAY, SATURDAY = "2037-05-15", "2037-05-16"


@pytest.fixture
def account(db: None) -> Account:
    return make_account(time_zone="Europe/Paris")


def run(account: Account, tool: Any, **arguments: Any) -> Any:
    return execute_tool(tool, Caller(account), arguments).data


def make_event(account: Account, *sessions: Any, **fields: Any) -> Any:
    return run(account, tools.create, **{"title": "Harbour Days", "days": DAYS, "sessions": list(sessions), **fields})


def save(account: Account, event: Any, *items: Any, **more: Any) -> Any:
    fields = {"items": list(items)} if items else {}
    return run(account, part_tools.save_sessions, event_id=event["id"], **fields, **more)


def titles(account: Account, event: Any, day: str = FRIDAY) -> list[str]:
    schedule = run(account, tools.get, id=event["id"])["schedule"]
    return [row["title"] for row in schedule if row["day"] == day]


def wrong(account: Account, tool: Any, **arguments: Any) -> dict[str, str]:
    with pytest.raises(InvalidInputError) as refused:
        run(account, tool, **arguments)
    return {issue.path: issue.message for issue in refused.value.issues}


def test_sessions_are_ordered_by_time_and_untimed_ones_by_insertion(account: Account) -> None:
    event = make_event(account)
    for title, start in (("Q", "14:00"), ("Lunch", ""), ("P", "09:00")):
        fields = {"start_time": start} if start else {}
        run(account, part_tools.add_session, event_id=event["id"], title=title, **fields)
    assert titles(account, event) == ["P", "Q", "Lunch"]


def test_rooms_are_matched_without_case_and_missing_rooms_are_created(account: Account) -> None:
    event = make_event(account, {"title": "A", "location": "Great  Hall"}, {"title": "B", "location": "great hall"})
    assert [(room["name"], room["sessions"]) for room in event["rooms"]] == [("Great Hall", 2)]
    added = run(account, part_tools.add_session, event_id=event["id"], title="C", location="Deck")
    assert added["session"]["location"] == "Deck"
    assert added["notes"] == ["Created: Deck."]


def test_errors_are_reported_at_their_paths_and_nothing_is_saved(account: Account) -> None:
    event = make_event(account)
    data = wrong(
        account,
        part_tools.save_sessions,
        event_id=event["id"],
        items=[
            {"title": "Good"},
            {"title": "A", "day": "Monday"},
            {"title": "B", "end_time": "10:00"},
            {"title": "C", "start_time": "10:00", "end_time": "10:00"},
            {"title": "D", "speaker_ids": ["spk_none"]},
            {"id": "ses_none"},
        ],
    )
    assert set(data) == {
        "items.1.day", "items.2.end_time", "items.3.end_time", "items.4.speaker_ids.0", "items.5.id",
    }  # fmt: skip
    assert titles(account, event) == []
    assert set(wrong(account, part_tools.add_session, event_id=event["id"], title="X", day="2037-05-18")) == {"day"}
    assert set(wrong(account, part_tools.add_session, event_id=event["id"], title="X", start_time="24:00")) == {
        "start_time"
    }


def test_a_day_is_given_by_date_label_or_id(account: Account) -> None:
    event = make_event(account)
    for name in (FRIDAY, "Talks", event["day_list"][0]["id"]):
        assert (
            run(account, part_tools.add_session, event_id=event["id"], title="X", day=name)["session"]["day"] == FRIDAY
        )


def test_a_new_time_moves_a_session_and_its_id_stays(account: Account) -> None:
    event = make_event(
        account, *({"title": title, "start_time": start} for title, start in (("A", "09:00"), ("B", "10:00")))
    )
    id = event["schedule"][0]["id"]
    result = save(account, event, {"id": id, "start_time": "11:00"})
    assert (result["changed"], result["items"][0]["id"]) == (1, id)
    assert titles(account, event) == ["B", "A"]
    save(account, event, {"id": id, "day": SATURDAY})
    assert (titles(account, event), titles(account, event, SATURDAY)) == (["B"], ["A"])


def test_a_new_start_alone_also_moves_the_end(account: Account) -> None:
    event = make_event(account, {"title": "A", "start_time": "10:00", "end_time": "11:30"})
    [row] = save(account, event, {"id": event["schedule"][0]["id"], "start_time": "23:00"})["items"]
    assert (row["end_time"], row["ends_at"]) == ("00:30", f"{SATURDAY}T00:30:00+02:00")


def test_an_owner_can_order_sessions(account: Account) -> None:
    event = make_event(account, *({"title": title} for title in "ABCD"))
    ids = {row["title"]: row["id"] for row in event["schedule"]}
    save(account, event, {"id": ids["D"], "before_id": ids["B"]})
    assert titles(account, event) == ["A", "D", "B", "C"]
    save(account, event, order=[ids[title] for title in "DCBA"])
    assert titles(account, event) == ["D", "C", "B", "A"]
    assert "order" in wrong(account, part_tools.save_sessions, event_id=event["id"], order=[ids["A"]])


def test_conflicts_are_described_and_never_rejected(account: Account) -> None:
    event = make_event(account, {"title": "A", "start_time": "09:00", "end_time": "12:00", "location": "Hall"})
    added = run(account, part_tools.add_session, event_id=event["id"], title="B", start_time="10:00", location="HALL")
    [clash] = added["clashes"]
    assert clash["text"] == f"“A” (09:00–12:00) and “B” (10:00) overlap on {FRIDAY}. Both are in Hall."


def test_an_early_start_is_accepted_with_a_question(account: Account) -> None:
    event = make_event(account)
    added = run(account, part_tools.add_session, event_id=event["id"], title="Party", start_time="00:30")
    assert f"If you meant the following night, use {SATURDAY}." in added["notes"][0]


def test_rooms_and_days_are_replaced_as_lists(account: Account) -> None:
    event = make_event(account, {"title": "A", "location": "Hall"}, {"title": "B", "location": "Deck"})
    hall, deck = event["rooms"]
    swapped = [{"id": deck["id"], "name": "Hall"}, {"id": hall["id"], "name": "Deck"}]
    result = run(account, tools.edit, event_id=event["id"], rooms=swapped)
    assert [(room["id"], room["name"]) for room in result["rooms"]] == [(deck["id"], "Hall"), (hall["id"], "Deck")]
    result = run(account, tools.edit, event_id=event["id"], rooms=["Hall"])
    assert [row["location"] for row in result["schedule"]] == ["", "Hall"]
    assert set(wrong(account, tools.edit, event_id=event["id"], days=[SATURDAY])) == {"days"}
    first, second = result["day_list"]
    moved = [{"id": first["id"], "date": SATURDAY}, {"id": second["id"], "date": "2037-05-17"}]
    result = run(account, tools.edit, event_id=event["id"], days=moved)
    assert result["days"] == [SATURDAY, "2037-05-17"]
    assert {row["day"] for row in result["schedule"]} == {SATURDAY}


def test_another_time_zone_keeps_the_clock_times(account: Account) -> None:
    event = make_event(account, {"title": "A", "start_time": "09:00"})
    result = run(account, tools.edit, event_id=event["id"], time_zone="Asia/Tokyo")
    assert result["schedule"][0]["starts_at"] == f"{FRIDAY}T09:00:00+09:00"


def test_deleting_a_speaker_reports_the_affected_sessions_and_can_be_undone(account: Account) -> None:
    event = make_event(account, {"title": "A", "speakers": ["Ada"]}, {"title": "B", "speakers": ["Ada", "Bo"]})
    ada = event["speakers"][0]
    answer = execute_tool(tools.delete, Caller(account), {"ids": [ada["id"]]})
    assert "Ada removed from 2 sessions" in answer.text
    result = run(account, tools.get, id=event["id"])
    assert [[speaker["name"] for speaker in row["speakers"]] for row in result["schedule"]] == [[], ["Bo"]]


def test_a_day_with_sessions_is_not_deleted(account: Account) -> None:
    event = make_event(account, {"title": "A"})
    with pytest.raises(OperationNotAllowedError, match="1 session"):
        run(account, tools.delete, ids=[event["day_list"][0]["id"]])


def test_a_copy_has_other_dates_and_is_a_draft(account: Account) -> None:
    event = make_event(account, {"title": "A", "start_time": "09:00", "location": "Hall", "speakers": ["Ada"]})
    run(account, tools.edit, event_id=event["id"], published=True)
    copy = run(account, tools.create, title="Next year", copy_of=event["id"], first_day="2038-05-14")
    assert copy["published"] is False
    assert copy["days"] == ["2038-05-14", "2038-05-15"]
    [row] = copy["schedule"]
    assert (row["starts_at"], row["location"]) == ("2038-05-14T09:00:00+02:00", "Hall")
    assert row["speakers"][0]["name"] == "Ada"
    assert row["id"] != event["schedule"][0]["id"]


def test_an_export_can_be_imported_without_changes(account: Account) -> None:
    event = make_event(account, {"title": "=A", "start_time": "09:00", "speakers": ["Ada", "Bo"], "location": "Hall"},
        {"title": "B", "speakers": ["Ada King, King's College"]})  # fmt: skip
    text = run(account, stats_tools.export, event_id=event["id"])["content"]
    result = save(account, event, csv=text, match=True)
    assert (result["added"], result["changed"], result["removed"]) == (0, 0, 0)
    other = make_event(account)
    save(account, other, csv="\n".join(line.rsplit(",", 1)[0] for line in text.splitlines()))
    row, item = run(account, tools.get, id=other["id"])["schedule"]
    assert (row["title"], row["location"], len(row["speakers"])) == ("=A", "Hall", 2)
    assert [speaker["name"] for speaker in item["speakers"]] == ["Ada King, King's College"]


def test_spreadsheet_times_are_parsed_and_dates_become_days(account: Account) -> None:
    event = run(account, tools.create, title="From a sheet")
    text = "Day;Start;End;Title\n15.05.2037;9:00;9.30;A\n15.05.2037;09:30:00;10:00 AM;B\n2037-05-16;6 PM;24:00;C\n"
    save(account, event, csv=text)
    result = run(account, tools.get, id=event["id"])
    told = [(row["day"], row["start_time"], row["end_time"]) for row in result["schedule"]]
    assert told == [(FRIDAY, "09:00", "09:30"), (FRIDAY, "09:30", "10:00"), (SATURDAY, "18:00", "00:00")]


def test_other_column_names_are_recognized_and_ignored_columns_are_reported(account: Account) -> None:
    event = run(account, tools.create, title="From a sheet")
    text = "Datum;Beginn;Ende;Titel;Raum;Referent;Stühle\n15.05.2037;9:00;9:30;A;Hall;Ada King, Bo Lind;40\n"
    assert save(account, event, csv=text)["notes"][1:] == ["Column “Stühle” is not saved: 1 cell, such as “40”"]
    text = f'day,start,title,speakers\n{FRIDAY},10:00,B,"Lind, Bo"\n'
    save(account, event, csv=text)
    result = run(account, tools.get, id=event["id"])["schedule"]
    told = [[speaker["name"] for speaker in row["speakers"]] for row in result]
    assert told == [["Ada King", "Bo Lind"], ["Lind, Bo"]], "a surname before its comma is one person"
    text = "nap;kezdés;vége;cím\n2037-05-15;9:00;9:30;A\n"
    assert set(wrong(account, part_tools.save_sessions, event_id=event["id"], csv=text)) == {"csv"}
    named = {"nap": "day", "kezdés": "start", "vége": "end", "cím": "title"}
    save(account, event, csv=text, columns=named)
    assert save(account, event, csv=text, match=True)["changed"] == 0, "the fields of the columns are remembered"


@pytest.mark.parametrize(
    "heading",
    [
        "Date;Begins at;Ends at;Session title;Room / stage;Speaker(s);Track",
        "Tag;Beginn (Uhr);Ende (Uhr);Programmpunkt;Raum;Referent:in;Themenstrang",
        "Fecha;Hora de inicio;Hora de fin;Título de la sesión;Sala;Ponentes;Eje",
        "Jour;Début;Fin;Titre de la séance;Salle / lieu;Intervenant(e)s;Parcours",
        "Data;Inizio;Fine;Titolo;Sala;Relatori;Percorso",
        "Dia;Início;Fim;Título;Sala;Oradores;Trilha",
    ],
)
def test_compound_headings_in_six_languages_are_recognized_below_a_title(heading: str) -> None:
    sheet = parse_list(f"Summer meeting;;;;;;\n\n{heading}\n15.05.2037;9:00;9:30;A;Hall;Ada;B\n", SESSION_LIST)
    assert [column.field for column in sheet.columns] == [
        "day", "start", "end", "title", "location", "speakers", "track"
    ]  # fmt: skip
    assert sheet.titles == [(1, "Summer meeting")]


def test_a_repeated_import_changes_sessions_and_can_replace_all(account: Account) -> None:
    event = make_event(account, {"title": "A", "start_time": "09:00"}, {"title": "Gone", "start_time": "10:00"})
    text = f"day,start,title,location\n{FRIDAY},09:00,A,Hall\n{FRIDAY},11:00,New,\n"
    preview = save(account, event, csv=text, replace=True, dry_run=True)
    assert (preview["added"], preview["changed"], preview["removed"]) == (1, 1, 1)
    assert titles(account, event) == ["A", "Gone"]
    save(account, event, csv=text, replace=True)
    assert titles(account, event) == ["A", "New"]
    assert run(account, tools.get, id=event["id"])["schedule"][0]["id"] == event["schedule"][0]["id"]


def test_every_invalid_line_is_reported_by_its_number(account: Account) -> None:
    event = make_event(account)
    text = "day,start,title\n2037-05-15,09:00,\n2037-05-15,nine,B\n31.31.2037,09:00,C\n"
    assert set(wrong(account, part_tools.save_sessions, event_id=event["id"], csv=text)) == {
        "csv.2.title", "csv.3.start", "csv.4.day",
    }  # fmt: skip


def test_another_program_can_read_an_exported_workbook(account: Account) -> None:
    event = make_event(account, {"title": "=A", "start_time": "09:00", "speakers": ["Ada", "Bo"], "location": "Hall"})
    answer = execute_tool(stats_tools.export, Caller(account), {"event_id": event["id"], "format": "xlsx"})
    assert answer.file is not None
    book = CalamineWorkbook.from_filelike(io.BytesIO(answer.file.content))
    heading, row = book.get_sheet_by_index(0).to_python()
    assert dict(zip(heading, row, strict=True))["title"] == "=A"


def test_an_extreme_date_is_rejected_at_its_path(account: Account) -> None:
    for day in ("9999-12-31", "0001-01-01"):
        with pytest.raises(InvalidInputError) as refused:
            make_event(account, days=[{"date": day}])
        assert [issue.path for issue in refused.value.issues] == ["days.0.date"]
