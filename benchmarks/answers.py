"""Requests to the service with its answers: the floor answers with the same bytes and writes the same rows."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

from servers import Service, connected

_ID = re.compile(r"\b[a-z]{2,6}_[0-9a-z]{26}\b")
NEWER = "2026-07-28"
MODERN = f"Mcp-Protocol-Version: {NEWER}"
_PREFIX = "io.modelcontextprotocol/"


class Answers:
    """An account with several codes and a card.

    `reads` are calls that change nothing, and `create` is one that does.
    """

    def __init__(self, service: Service, codes: int) -> None:
        self.service = service
        self.key = service.account("owner@example.com", "--plan", "qr=pro")["api_key"]
        target = "https://example.com/menu?table=7"
        rows = [{"name": f"Code {number}", "target_url": target} for number in range(codes)]
        for begin in range(0, codes, 100):
            service.api(self.key, "svc_qr_save", items=rows[begin : begin + 100])
        made = []
        while len(made) < codes:
            made += service.api(self.key, "svc_qr_list", limit=100, offset=len(made))["items"]
        self.scans = ["/q/" + one["public_url"].rpartition("/")[2] for one in made]
        card = service.api(self.key, "svc_card_create", full_name="Olive Owner", email="olive@example.com")
        self.page = "/c/" + card["public_url"].rpartition("/")[2]
        with urllib.request.urlopen(service.url + self.page) as got:
            self.etag = got.headers["ETag"]
        for path in (self.scans[-1], self.scans[-1]):
            urllib.request.build_opener(_Stay).open(service.url + path)
        code = made[-1]["id"]
        self.reads: dict[str, Any] = {
            "svc_me": {},
            "svc_qr_list": {},
            "svc_qr_get": {"id": code},
            "svc_qr_stats": {"id": code, "days": 30},
        }
        self.create = {"name": "One more", "target_url": target}

    def to_dict(self) -> dict[str, Any]:
        """Return the answers for `floor.Floor`."""
        reads = {
            name: self._request("/api/v1/call", build_call(name, arguments)) for name, arguments in self.reads.items()
        }
        agent = self._request("/mcp", build_call("svc_qr_list", {}, is_mcp=True))
        before = self._read_tables()
        reads["svc_qr_create"] = self._request("/api/v1/call", build_call("svc_qr_create", self.create))
        return {
            "answers": {**reads, "mcp svc_qr_list": agent},
            "list": self._request("/mcp", build_list_request()),
            "rows": _list_inserted_rows(before, self._read_tables(), reads["svc_qr_create"]["data"]["slug"]),
        }

    def _request(self, path: str, body: str) -> Any:
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        asked = urllib.request.Request(self.service.url + path, body.encode(), headers)
        with urllib.request.urlopen(asked) as got:
            return json.load(got)

    def _read_tables(self) -> dict[str, tuple[list[str], set[tuple[Any, ...]]]]:
        """Return the columns and rows by table, with values as text unless they are numbers."""
        with connected(self.service) as database:
            is_sqlite = not self.service.env["WORKSPACE_DATABASE_URL"]
            tables = "SELECT name FROM sqlite_master WHERE type = 'table'" if is_sqlite else (
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
            )  # fmt: skip
            found = {}
            for (table,) in database.execute(tables).fetchall():
                if not table.startswith(("accounts_", "publishing_", "qr_")):
                    continue
                names = [one[0] for one in database.execute(f"SELECT * FROM {table} LIMIT 0").description]
                columns = names if is_sqlite else [f'"{name}"::text' for name in names]
                rows = database.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
                found[table] = names, set(rows)
        return found


def _list_inserted_rows(before: Any, after: Any, slug: str) -> list[dict[str, Any]]:
    """Return the rows that a call has inserted, without numbers that the database generates."""
    found = []
    for table, (columns, rows) in after.items():
        for row in rows - before[table][1]:
            kept = [
                (name, value)
                for name, value in zip(columns, row, strict=True)
                if name != "id" or not _is_generated(value)
            ]
            texts = " ".join(value for _, value in kept if isinstance(value, str))
            found.append({"table": table, "columns": [name for name, _ in kept], "values": [v for _, v in kept],
                          "texts": texts})  # fmt: skip
    known = {
        id for _, rows in before.values() for row in rows for v in row if isinstance(v, str) for id in _ID.findall(v)
    }
    new = [*sorted({id for row in found for id in _ID.findall(row["texts"])} - known), slug]
    # a row comes after the rows to which it refers
    order = ["publishing_publication", "publishing_address", "qr_code"]
    found.sort(key=lambda row: order.index(row["table"]) if row["table"] in order else len(order))
    return [{"table": row["table"], "columns": row["columns"], "values": row["values"], "new": new} for row in found]


def _is_generated(value: Any) -> bool:
    return str(value).isdigit()


def build_call(name: str, arguments: Any, *, is_mcp: bool = False, era: str = "") -> str:
    called = {"name": name, "arguments": arguments}
    if not is_mcp:
        return json.dumps(called)
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**called, **_meta(era)}})


def build_list_request(era: str = "") -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": _meta(era)})


def rpc(method: str, era: str, name: str = "") -> tuple[str, ...]:
    """Return the headers required by the newer protocol."""
    return (f"Mcp-Method: {method}", *([f"Mcp-Name: {name}"] if name else [])) if era else ()


def _meta(era: str) -> dict[str, Any]:
    told = {f"{_PREFIX}protocolVersion": NEWER, f"{_PREFIX}clientCapabilities": {}}
    return {"_meta": told} if era else {}


class _Stay(urllib.request.HTTPRedirectHandler):
    """A handler that does not follow the redirect of a scan."""

    def redirect_request(self, *_: Any) -> None:
        return None

    def http_error_302(self, req: Any, fp: Any, *_: Any) -> Any:
        return fp
