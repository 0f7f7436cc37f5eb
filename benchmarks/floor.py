"""The floor: the least cost of a request.

It is a raw ASGI application with raw `sqlite3` or `psycopg`, without a framework, on the same server.

It works on a copy of the service's database (`FLOOR_DATABASE`: a file or a PostgreSQL URL). It reads with the same
indexes, writes the same rows with the same durability, and answers with the same bytes. Each visit and each write is a
separate commit. The service's answers are in the folder FLOOR_ANSWERS: pages as raw responses, answers of tools as
JSON, which it encodes for each request.
"""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import floor_rows
from floor_database import Database, connect

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
ANSWERS = Path(os.environ.get("FLOOR_ANSWERS", "."))


def application() -> Any:
    floor = Floor(connect(os.environ["FLOOR_DATABASE"]), json.loads((ANSWERS / "tools.json").read_text()))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        if scope["method"] == "POST":
            body, more = b"", True
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
            status, headers, body = floor.tool(scope, json.loads(body))
        else:
            status, headers, body = floor.address(scope)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


class Floor:
    def __init__(self, database: Database, answers: dict[str, Any]) -> None:
        self.database = database
        self.answers: dict[str, Any] = answers["answers"]
        self.list_of_tools = json.dumps(answers["list"], ensure_ascii=False).encode()
        self.write = floor_rows.writer(database, answers["rows"]) if answers["rows"] else None
        self.visit = floor_rows.counter(database)
        self.pages: dict[str, tuple[list[tuple[bytes, bytes]], bytes]] = {}

    def address(self, scope: Any) -> Answer:
        _, prefix, slug = scope["path"].split("/")
        if prefix == "q":
            found = self.database.fetch_one(FIND_CODE, (slug,))
            self.visit(found[0], "scan", scope)
            headers = [(b"location", found[7].encode()), (b"cache-control", b"no-store"), (b"content-length", b"0")]
            return 302, headers, b""
        found = self.database.fetch_one(FIND_PAGE, ("card", slug))
        self.visit(found[0], "view", scope)
        headers, body = self.pages.get(scope["path"]) or self._read_request(scope["path"])
        asked = next((value for name, value in scope["headers"] if name == b"if-none-match"), None)
        if asked is not None and (b"etag", asked) in headers:
            return 304, [header for header in headers if header[0] not in (b"content-length", b"content-type")], b""
        return 200, headers, body

    def _read_request(self, path: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
        head, _, body = (ANSWERS / path.replace("/", "-")).read_bytes().partition(b"\r\n\r\n")
        lines = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:]]
        headers = [(name.lower(), value) for name, value in lines if name.lower() not in _OWN]
        self.pages[path] = headers, body
        return headers, body

    def tool(self, scope: Any, request: Any) -> Answer:
        """Answer a call over REST or MCP: find the key, count the call, and read or write the tool's rows."""
        given = next(value for name, value in scope["headers"] if name == b"authorization")
        key = self.database.fetch_one(FIND_KEY, (hashlib.sha256(given[7:]).hexdigest(),))
        is_mcp = scope["path"] == "/mcp"
        if request.get("method") == "tools/list":
            return _json(self.list_of_tools)
        now = datetime.now(UTC).replace(tzinfo=None)
        self.database.relaxed(TAKE, (f"key:{key[0]}", str(now.date()), 1, str(now), 2**31 - 1))
        call = request["params"] if is_mcp else request
        arguments = call["arguments"]
        if call["name"] == "svc_qr_create":
            assert self.write is not None
            self.write()
        elif call["name"] == "svc_qr_list":
            self.database.all(LIST, (key[4],))
            self.database.fetch_one(COUNT, (key[4],))
            self.database.all(FOLDERS, (key[4],))
        elif call["name"] == "svc_qr_get":
            found = self.database.fetch_one(GET, (key[4], arguments["id"]))
            self.database.all(RETARGETS, (arguments["id"],))
            self.database.all(ADDRESSES, (found[0],))
        elif call["name"] == "svc_qr_stats":
            self._figures(self.database.fetch_one(GET, (key[4], arguments["id"]))[0], now)
        told = self.answers[f"{'mcp ' if is_mcp else ''}{call['name']}"]
        return _json(json.dumps(told, ensure_ascii=False).encode())

    def _figures(self, publication: str, now: datetime) -> None:
        first = str(now.date() - timedelta(days=29))
        soon = str(now.date() - timedelta(days=21))
        tally = self.database.fetch_one(TALLY, (publication,))[0]
        self.database.all(BY_DAY, (tally, first))
        self.database.all(BY_HOUR, (tally, first))
        self.database.all(SHARES, (first, soon, first, tally, first))


def _json(body: bytes) -> Answer:
    return 200, [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))], body


_OWN = (b"date", b"server", b"connection")
FIND_CODE = """
  SELECT p.id, p.version, p.paused_at, p.expires_at, p.deleted_at, p.banned_at, p.password, c.target_url
  FROM publishing_address a JOIN publishing_publication p ON p.id = a.publication_id
  JOIN qr_code c ON c.publication_id = p.id WHERE a.kind = 'qr' AND a.slug = ?"""
FIND_PAGE = """
  SELECT p.id, p.version, p.paused_at, p.expires_at, p.deleted_at, p.banned_at, p.password, n.name, n.time_zone
  FROM publishing_address a JOIN publishing_publication p ON p.id = a.publication_id
  JOIN accounts_account n ON n.id = p.account_id WHERE a.kind = ? AND a.slug = ?"""
FIND_KEY = """
  SELECT k.id, k.name, k.read_only, k.products, n.id, n.name, n.time_zone, n.chosen_plans, n.banned_at, k.expires_at
  FROM accounts_apikey k JOIN accounts_account n ON n.id = k.account_id WHERE k.hash = ? AND k.revoked_at IS NULL"""
TAKE = """INSERT INTO rate_limits_callquota (key, day, used, last_used_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET used = CASE WHEN rate_limits_callquota.day = excluded.day
    THEN rate_limits_callquota.used + excluded.used ELSE excluded.used END, day = excluded.day,
  last_used_at = excluded.last_used_at
  WHERE rate_limits_callquota.day <> excluded.day OR rate_limits_callquota.used < ? RETURNING used"""
LIST = """SELECT c.*, p.*, t.total FROM qr_code c JOIN publishing_publication p ON p.id = c.publication_id
  LEFT JOIN publishing_visitcounter t ON t.publication_id = p.id AND t.event = 'scan' AND t.detail = ''
  WHERE c.account_id = ? ORDER BY c.id DESC LIMIT 50"""
COUNT = "SELECT COUNT(*) FROM qr_code WHERE account_id = ?"
FOLDERS = "SELECT folder, COUNT(*) FROM qr_code WHERE account_id = ? AND folder > '' GROUP BY folder ORDER BY folder"
GET = """SELECT p.id, p.*, c.*, t.total FROM qr_code c JOIN publishing_publication p ON p.id = c.publication_id
  LEFT JOIN publishing_visitcounter t ON t.publication_id = p.id AND t.event = 'scan' AND t.detail = ''
  WHERE c.account_id = ? AND c.id = ?"""
RETARGETS = "SELECT from_url, to_url, created_at FROM qr_destinationchange WHERE code_id = ? ORDER BY id DESC LIMIT 50"
ADDRESSES = "SELECT slug, created_at FROM publishing_address WHERE publication_id = ? ORDER BY id"
TALLY = "SELECT id, total FROM publishing_visitcounter WHERE publication_id = ? AND event = 'scan' AND detail = ''"
BY_DAY = "SELECT day, count, uniques, bots FROM publishing_dailycounter WHERE counter_id = ? AND day >= ?"
BY_HOUR = f"""SELECT {", ".join(f"SUM({hour})" for hour in floor_rows.HOURS)}
  FROM publishing_dailycounter WHERE counter_id = ? AND day >= ?"""
SHARES = """SELECT f.dimension, f.value, f.count - COALESCE(
  (SELECT before_count FROM publishing_dailybreakdown WHERE breakdown_id = f.id AND day >= ? AND day < ?
    ORDER BY day LIMIT 1),
  (SELECT before_count FROM publishing_dailybreakdown WHERE breakdown_id = f.id AND day >= ? ORDER BY day LIMIT 1)) AS n
  FROM publishing_breakdown f WHERE f.counter_id = ? AND f.last_day >= ? ORDER BY f.dimension, n DESC"""
