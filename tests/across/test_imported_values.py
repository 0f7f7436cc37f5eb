"""An import refuses the same values as the tools, and names the table, the line and the column."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.across.sample_exports import Export, forget_everything, import_account, judge
from tests.across.samples import things
from workspace.accounts.models import Account
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.bid.models import Proposal
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db
_HUGE = "9E+300000"

WRONG: list[tuple[str, str, Any, str]] = [
    ("booking.booking", "guest_zone", "Mars/Base", "guest_zone: Use a time zone"),
    ("booking.bookingpage", "time_zone", "Mars/Base", "time_zone: Use a time zone"),
    ("event.event", "time_zone", "../../etc/passwd", "time_zone: Use a time zone"),
    ("bid.proposal", "tax_rate", _HUGE, "tax_rate: Use digits"),
    ("bid.libraryitem", "unit_price", _HUGE, "unit_price: Use digits"),
    ("bid.proposal", "currency", "XXX", "currency: Enter a currency code"),
    ("bid.proposal", "discount", {"type": "percent", "value": "101", "label": ""}, "discount"),
    ("booking.booking", "language", "tlh", "language: "),
    ("booking.service", "duration", 0, "duration: Must be at least 5"),
    ("booking.service", "questions", [{"label": "Why?", "type": "essay"}], "questions: 0.type"),
    ("booking.bookingpage", "hours", [{"days": ["someday"], "from": "09:00", "until": "25:00"}], "hours: 0.days.0"),
    ("qr.code", "target_url", "java\tscript:alert(1)", "target_url: Remove spaces"),
    ("qr.code", "style", {"foreground": "red"}, "style: foreground"),
    ("card.card", "links", [{"label": "x", "url": "data:text/html,x"}], "links: 0.url: Only http and https"),
    ("card.card", "color", "red; background: url(//x)", "color"),
    ("links.element", "url", "JAVA\nSCRIPT://x", "url: "),
    ("form.form", "version", 77, "version: form version 77 isn’t in this ZIP file"),
    ("form.form", "redirect_url", "//evil.example@x", "redirect_url"),
    ("form.formversion", "body", {"pages": [{"key": "p", "title": "", "order": []}]}, "body: This is not a valid form"),
    ("waiver.waiver", "valid_for", {"years": 10**6}, "valid_for: Use a number from 1 to 10 for years"),
    ("waiver.waiverversion", "body", "{}", "body: "),
    ("menu.item", "allergens", {"plutonium": "contains"}, "allergens: Use one of"),
    ("menu.item", "variants", [{"name": "Small", "minor": 10**18}], "variants: 0.minor"),
    ("seat.table", "x", 1e17, "x: Must be at most"),
    ("seat.guest", "diet", ["lead"], "diet: 0: Must be one of"),
    ("event.event", "tracks", [{"name": "Water"}], "tracks: 0.color: Required"),
    ("event.event", "tracks", ["Water"], "tracks: 0: "),
    ("event.session", "start", "25:99", "start: Enter a time as HH:MM"),
    ("certs.template", "elements", [{"part": "name"}], "elements: 0.x: Required"),
    ("payments.payment", "return_url", "//evil.example", "return_url: Use a path on this instance"),
    ("payments.payment", "return_url", "https://evil.example", "return_url: Use a path on this instance"),
    ("payments.payment", "currency", "EURO", "currency"),
    ("publishing.publication", "kind", "nothing", "kind: Use one of"),
    ("audit_trail.chain", "count", 0, "count: this number is too low"),
    ("audit_trail.chain", "count", 10**6, "count: record 1000000 isn’t in this ZIP file"),
    ("audit_trail.record", "body", "{}", "body: version: Required"),
    ("audit_trail.personalvalue", "value", "no JSON", "value: Use valid JSON"),
    ("bid.template", "content", {}, "content: Enter the content of the template"),
    ("bid.numbersequence", "last_number", 0, "last_number: this number is too low"),
    ("certs.certificate", "status_index", 131_072, "status_index: Must be at most"),
    ("publishing.publication", "version", 2**31 - 1, "version: Must be at most"),
    ("booking.booking", "starts_at", "0001-01-01T00:00:00Z", "starts_at: Enter a date from 1900"),
]


@pytest.fixture
def export(api: Api, tmp_path: Path) -> Export:
    things(api)
    made = Export.create(api.account, tmp_path)
    forget_everything()
    return made


@pytest.fixture
def empty(export: Export) -> Account:
    return make_account(name="Empty")


def refusal(account: Account, content: io.BytesIO) -> str:
    try:
        judge(account, content)
    except OperationNotAllowedError as problem:
        return str(problem)
    return "It was not refused"


def test_a_value_that_no_tool_accepts_is_refused_with_its_table_line_and_column(export: Export, empty: Account) -> None:
    judge(empty, export.zipped())
    for table, column, value, wanted in WRONG:
        rows = [dict(row) for row in export.rows[table]]
        rows[-1][column] = value
        told = refusal(empty, export.zipped(**{table: rows}))
        assert told.startswith(f"tables/{table}.jsonl, line {len(rows)}: {wanted}"), (table, column, told)


def test_a_form_field_of_an_unknown_type_is_refused(export: Export, empty: Account) -> None:
    rows = [dict(row) for row in export.rows["form.formversion"]]
    rows[0]["body"]["pages"][0]["fields"][0]["type"] = "telepathy"
    with pytest.raises(OperationNotAllowedError, match="line 1: body: "):
        judge(empty, export.zipped(**{"form.formversion": rows}))


def test_a_price_in_a_line_of_a_proposal_is_limited(export: Export, empty: Account) -> None:
    rows = [dict(row) for row in export.rows["bid.proposal"]]
    place, row = next((place, row) for place, row in enumerate(rows, start=1) if row["line_items"])
    row["line_items"][0]["unit_price"] = _HUGE
    with pytest.raises(OperationNotAllowedError, match=f"line {place}: line_items: 0.unit_price: Use digits"):
        judge(empty, export.zipped(**{"bid.proposal": rows}))


def test_a_record_with_erased_values_in_an_invalid_structure_is_refused(export: Export, empty: Account) -> None:
    rows = [dict(row) for row in export.rows["audit_trail.record"]]
    body = json.loads(rows[0]["body"])
    rows[0] |= {"kind": "records.erased", "body": json.dumps({**body, "data": {"erased": {"number": 1}}})}
    with pytest.raises(OperationNotAllowedError, match=r"line 1: body: data\.erased"):
        judge(empty, export.zipped(**{"audit_trail.record": rows}))


def test_a_draft_cannot_have_the_number_of_an_existing_revision(export: Export, empty: Account) -> None:
    rows = [dict(row) for row in export.rows["bid.proposal"]]
    place, row = next((place, row) for place, row in enumerate(rows, start=1) if row["revision_hash"])
    row["revision_hash"] = ""
    with pytest.raises(OperationNotAllowedError, match=f"line {place}: revision: this number is too low"):
        judge(empty, export.zipped(**{"bid.proposal": rows}))


def test_the_next_proposal_of_an_import_without_numbering_gets_a_free_number(export: Export, empty: Account) -> None:
    import_account(empty, export.zipped(**{"bid.numbersequence": []}))
    highest = max(row["number"] for row in export.rows["bid.proposal"])
    api = make_api(empty)
    id = api.run("svc_bid_create", title="Catering", client_name="Ada")["id"]
    assert Proposal.objects.get(pk=id).number == highest + 1


def test_the_account_name_is_validated_as_by_the_tool(export: Export, empty: Account) -> None:
    export.rest["manifest.json"] = export.rest["manifest.json"].replace(b'"Corner', b'"\\u202eCorner')
    with pytest.raises(OperationNotAllowedError, match=r"account\.name: Use plain text on one line"):
        judge(empty, export.zipped())
