"""Access to an account's pages and tools by a stranger, a viewer, an editor and a signed-out visitor.

It covers all URLs below /app outside of products, and all tools. URLs come from the routes and tools from the registry,
so new ones are covered automatically. (Products' pages: test_dashboard_pages.py, test_roles.py; MCP and the command
line: test_channels_agree.py.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLResolver, get_resolver

from tests.across.samples import SAMPLES
from tests.across.test_roles import OF_OWNERS, key_of, member_of
from workspace.accounts.models import Account, ApiKey, IdempotentCall, MemberInvitation
from workspace.accounts.permissions import EDITOR, VIEWER
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES
from workspace.testing.api import Api
from workspace.testing.oauth_client import Flow, register, sign_in_browser

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
_PART = re.compile(r"<(?:\w+:)?(\w+)>")
# pages restricted to owners, listed independently of the code
OWNERS = re.compile(
    r"/app/(keys/.|members/.|account/(person|close|along|payments/(connect|events|disconnect))|plans/(credits|portal|[a-z]+/[a-z]+$))"
)
OPERATORS = re.compile(r"/app/(operator|inbox)")
# these belong to a person (all people end their own connections), or only parse a number
NOT_THE_ACCOUNTS = re.compile(r"/app/(switch|understood/|connections/end)")
GONE = {302, 303, 403, 404, 405, 409, 410, 422, 429}


def routes(resolver: URLResolver | None = None, above: str = "/") -> Iterator[str]:
    for one in (resolver or get_resolver()).url_patterns:
        path = above + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes(one, path)
        elif (
            path.startswith("/app")
            and path.split("/")[2:3] not in [[name] for name in PRODUCT_NAMES]
            and "^" not in path
        ):
            yield path


PATHS = sorted(set(routes()))


class Room:
    """An account with one item of everything, and all URLs that contain its items' ids."""

    def __init__(self, api: Api, made: dict[str, str]) -> None:
        self.api, self.account, self.made = api, api.account, made
        owner = sign_in_browser(self.account.owner)
        Flow(owner, register()["client_id"]).tokens(self.account)
        self.key = ApiKey.create(self.account, name="Till")[0].pk
        invitation = MemberInvitation.create(self.account, "new@example.org", self.account.owner)[0]
        self.member = member_of(self.account, EDITOR)
        ticket = made["ticket"]
        self.ids: dict[str, list[str]] = {
            "/app/account/webhooks/": [
                self.account.endpoints.first().pk if self.account.endpoints.exists() else "we_x"
            ],
            "/app/account/payments/": [made["payment"]],
            "/app/account/calendars/": [made["calendar"]],
            "/app/account/contacts/": [made["address_book"]],
            "/app/linked-apps/": ["shop"],
            "/app/plans/wait/": ["1"],
            "/app/plans/": ["qr", "pro"],
            "/app/support/": [ticket, made["zip"]],
            "/app/inbox/mails/": ["1"],
            "/app/inbox/": [ticket, made["zip"]],
            "/app/keys/": [self.key],
            "/app/members/invitations/": [str(invitation.pk)],
            "/app/members/": [str(self.member.pk)],
            "/app/operator/accounts/": [self.account.pk],
            "/app/operator/": ["1"],
            "/app/connections/": [self.connection],
            "/app/act/": ["card", made["card"], "pause"],
            "/app/check-in/": ["waiver", made["waiver"], "visit"],
            "/app/jobs/": [made["job"]],
            "/app/parse-number/": ["money"],
        }
        self.form = {
            "change_id": made["change"], "connection": self.connection, "id": self.key, "upload_id": made["zip"],
            "thing": made["card"], "account": self.account.pk, "sure": "1", "name": self.account.name, "role": "owner",
            "decision": "approve", "email": "eve@example.org", "act": "remove", "back": "/app",
        }  # fmt: skip

    @property
    def connection(self) -> str:
        from workspace.accounts.oauth_connections import connections_for

        return connections_for(self.account, seen_by=self.account.owner)[0].id

    def paths(self) -> Iterator[tuple[str, bool]]:
        """Yield each URL, and whether it refers to an item of the account."""
        for route in PATHS:
            parts = _PART.findall(route)
            if not parts:
                yield route, False
                continue
            longest = max((start for start in self.ids if route.startswith(start)), key=len, default=None)
            assert longest, f"{route}: what stands for its parts? Add it to Room.ids"
            values = iter([*self.ids[longest], "off", "off"])
            yield _PART.sub(lambda _: next(values), route), True  # noqa: B023

    def stored(self) -> str:
        rows = []
        for model in apps.get_models():
            if any(field.name == "account" for field in model._meta.get_fields()) and model is not IdempotentCall:
                rows += list(model._default_manager.filter(account=self.account).order_by("pk").values())
        return repr([*rows, Account.objects.filter(pk=self.account.pk).values()])


@pytest.fixture
def room(furnished: tuple[Api, dict[str, str]]) -> Room:
    return Room(*furnished)


def test_strangers_and_signed_out_visitors_open_and_change_nothing(room: Room, stranger: Api) -> None:
    before, theirs = room.stored(), sign_in_browser(stranger.account.owner)
    own = [room.account.name, room.account.pk, room.key, room.made["card"], "Till", "new@example.org"]
    for path, names_it in room.paths():
        for signed_in, browser in ((True, theirs), (False, Client())):
            for answer in (browser.get(path), browser.post(path, room.form)):
                said = (path, signed_in, answer.status_code)
                assert answer.status_code < 500, said
                is_open = answer.status_code == 200
                if is_open and signed_in and not NOT_THE_ACCOUNTS.match(path):
                    page = answer.content.decode()
                    shown = [one for one in own if one in page.replace(str(answer.wsgi_request.POST), "")]
                    assert not names_it or path.startswith("/app/plans/"), said
                    assert [one for one in shown if one not in room.form.values()] == [], said
                assert signed_in or answer.status_code in GONE, said
    assert room.stored() == before


def test_a_viewer_changes_nothing_and_an_editor_nothing_restricted_to_owners(room: Room) -> None:
    viewer, editor = (sign_in_browser(member_of(room.account, role).person) for role in (VIEWER, EDITOR))
    before, sent = room.stored(), {}
    for path, _ in room.paths():
        seen, answer = viewer.get(path), viewer.post(path, room.form)
        assert seen.status_code < 500 and answer.status_code < 500, (path, seen.status_code, answer.status_code)
        sent[path] = answer.status_code
        if OWNERS.match(path):
            for theirs in (viewer.get(path), editor.get(path), answer, editor.post(path, room.form)):
                assert theirs.status_code in (403, 405), (path, theirs.status_code)
        if OPERATORS.match(path):
            for theirs in (viewer.get(path), editor.get(path), sign_in_browser(room.account.owner).get(path)):
                assert theirs.status_code in (403, 404, 405), (path, theirs.status_code)
    assert room.stored() == before
    let_in = {path for path, status in sent.items() if status not in GONE - {302, 303}}
    assert {path for path in let_in if not NOT_THE_ACCOUNTS.match(path)} == set(), "nothing is taken from a viewer"


def test_by_api_key_a_viewer_can_write_nothing_and_an_editor_nothing_restricted_to_owners(room: Room) -> None:
    viewer, editor = (key_of(member_of(room.account, role)) for role in (VIEWER, EDITOR))
    before = room.stored()
    for tool in CATALOG:
        call: dict[str, Any] = {"name": tool.name, "arguments": SAMPLES[tool.name](room.made)}
        for theirs, may in ((viewer, tool.reads), (editor, False)):
            if (theirs is viewer and not tool.reads) or tool.name in OF_OWNERS:
                status, body = theirs.post("call", call)
                assert (status, body["error"]) == (403, "forbidden"), (tool.name, may)
    assert room.stored() == before
