"""Previous values in a write's answer, their retention, and undo."""

from __future__ import annotations

from datetime import timedelta

import pytest

from workspace.accounts.change_log import first_line
from workspace.accounts.models import Account, Change
from workspace.lib import clock
from workspace.testing.api import Api, make_api

pytestmark = pytest.mark.django_db


def rename(api: Api, name: str) -> str:
    return api.run("svc_account_edit", name=name)["change"]["id"]


def name_of(api: Api) -> str:
    return Account.objects.get(pk=api.account.pk).name


def test_a_write_answers_previous_values_and_how_to_undo_it(api: Api) -> None:
    _, body = api.post("call", {"name": "svc_account_edit", "arguments": {"name": "Noon"}})
    change = body["data"]["change"]
    assert change["before"] == {api.account.pk: {"name": "Corner Café"}}
    assert change["id"] in body["text"] and "svc_undo" in body["text"]
    assert "“Corner Café”" in body["text"]


def test_a_write_without_effect_is_not_logged(api: Api) -> None:
    assert api.run("svc_account_edit", name="Corner Café")["change"] is None
    assert not Change.objects.exists()


def test_undo_restores_the_previous_value(api: Api) -> None:
    id = rename(api, "Noon")
    assert api.run("svc_undo", change_id=id)["id"] == id
    assert name_of(api) == "Corner Café"


def test_undo_without_an_id_reverts_the_newest_change_then_the_one_before(api: Api) -> None:
    rename(api, "Noon")
    rename(api, "Night")
    api.run("svc_undo")
    assert name_of(api) == "Noon"
    api.run("svc_undo")
    assert name_of(api) == "Corner Café"
    assert api.refuse("svc_undo")["error"] == "not_found"


def test_undo_without_an_id_ignores_changes_by_others(api: Api) -> None:
    rename(api, "Noon")
    assert make_api(api.account).refuse("svc_undo")["error"] == "not_found"
    assert name_of(api) == "Noon"


def test_undoing_an_undo_restores_the_change(api: Api) -> None:
    id = rename(api, "Noon")
    undone = api.run("svc_undo")["change"]["id"]
    api.run("svc_undo", change_id=undone)
    assert name_of(api) == "Noon"
    assert api.run("svc_undo", change_id=id)["id"] == id, "it stands again, so it can be taken back again"


def test_a_change_can_be_undone_only_once(api: Api) -> None:
    id = rename(api, "Noon")
    api.run("svc_undo", change_id=id)
    assert "already" in api.refuse("svc_undo", change_id=id)["message"]


def test_undo_of_a_value_changed_later_conflicts_and_names_the_later_change(api: Api) -> None:
    id, newer = rename(api, "Noon"), rename(api, "Night")
    status, body = api.post("call", {"name": "svc_undo", "arguments": {"change_id": id}})
    assert (status, body["error"]) == (409, "conflict")
    assert newer in body["message"]
    assert name_of(api) == "Night"


def test_another_accounts_change_is_not_found(api: Api, stranger: Api) -> None:
    assert stranger.refuse("svc_undo", change_id=rename(api, "Noon"))["error"] == "not_found"
    assert name_of(api) == "Noon"


def test_a_dry_run_returns_the_same_answer_and_changes_nothing(api: Api) -> None:
    _, body = api.post("call", {"name": "svc_account_edit", "arguments": {"name": "Noon", "dry_run": True}})
    assert body["data"]["name"] == "Noon"
    assert body["data"]["dry_run"] is True
    assert body["data"]["change"]["before"] == {api.account.pk: {"name": "Corner Café"}}
    assert body["text"].startswith("Dry run")
    # An agent that called undo here would undo the change before.
    assert "change_id" not in body["text"] and "Preview only: nothing changed" in body["text"]
    assert name_of(api) == "Corner Café"
    assert not Change.objects.exists()


def test_a_dry_run_ignores_idempotency_keys(api: Api) -> None:
    for arguments in ({"name": "Noon", "dry_run": True}, {"name": "Noon"}):
        response = api.client.post(
            "/api/v1/account/edit", arguments, content_type="application/json", headers={"idempotency-key": "one"}
        )
        assert response.status_code == 200, response.content
    assert name_of(api) == "Noon"


def test_a_dry_run_fails_like_the_write_would(api: Api) -> None:
    assert api.refuse("svc_account_edit", name="", dry_run=True)["error"] == "invalid_input"
    assert (
        make_api(api.account, read_only=True).refuse("svc_account_edit", name="X", dry_run=True)["error"] == "forbidden"
    )


def test_activity_lists_changes_newest_first(api: Api) -> None:
    rename(api, "Noon")
    api.run("svc_account_edit", time_zone="Europe/Berlin")
    rows = api.run("svc_activity")["items"]
    assert [row["before"][api.account.pk] for row in rows] == [{"time_zone": "UTC"}, {"name": "Corner Café"}]
    assert {(row["actor"], row["channel"], row["tool"]) for row in rows} == {("Tests", "api", "svc_account_edit")}
    assert all(row["can_be_undone"] for row in rows)


def test_activity_shows_what_was_undone(api: Api) -> None:
    rename(api, "Noon")
    undoing = api.run("svc_undo")["change"]["id"]
    newest, first = api.run("svc_activity")["items"]
    assert newest["id"] == undoing
    assert first["undone_by"] == undoing
    assert not first["can_be_undone"]


def test_a_summary_has_no_ids_or_markdown() -> None:
    assert (
        first_line(r"Changed 2 prices of **Da \`Gino\`** `menu_1`, in EUR:" "\n- more")
        == "Changed 2 prices of Da `Gino`, in EUR"
    )


def test_undo_data_is_deleted_after_30_days_and_changes_after_400(api: Api, time_machine) -> None:
    id = rename(api, "Noon")
    time_machine.move_to(clock.now() + timedelta(days=31))
    Change.expire_old()
    kept = Change.objects.get(pk=id)
    assert (kept.journal, kept.previous) == ([], {})
    assert "30 days" in api.refuse("svc_undo", change_id=id)["message"]
    time_machine.move_to(clock.now() + timedelta(days=400))
    Change.expire_old()
    assert not Change.objects.exists()
