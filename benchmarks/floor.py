"""What a request costs at the least: a raw ASGI application and raw `sqlite3`, no framework, on the same server.

It works on a copy of the service's own database file (`FLOOR_FILE`), reads by the same indexes, writes the same rows
with the same durability, each visit in a commit of its own, and answers with the same headers and bytes.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from datetime import UTC, datetime
from typing import Any

_PAGES: dict[str, bytes] = {}
_HEADERS: dict[str, list[tuple[bytes, bytes]]] = {}


def connect() -> sqlite3.Connection:
    connection = sqlite3.connect(os.environ["FLOOR_FILE"], isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "temp_store=MEMORY", "cache_size=-16000"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


FIND_CODE = """
  SELECT p.id, p.version, p.paused_at, p.expires_at, p.deleted_at, p.banned_at, p.password, c.target_url
  FROM publishing_address a JOIN publishing_publication p ON p.id = a.publication_id
  JOIN qr_code c ON c.publication_id = p.id WHERE a.kind = 'qr' AND a.slug = ?"""
FIND_PAGE = """
  SELECT p.id, p.version, p.paused_at, p.expires_at, p.deleted_at, p.banned_at, p.password, n.name, n.time_zone
  FROM publishing_address a JOIN publishing_publication p ON p.id = a.publication_id
  JOIN accounts_account n ON n.id = p.account_id WHERE a.kind = ? AND a.slug = ?"""


def application() -> Any:
    connection = connect()
    write = writer(connection)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        _, prefix, slug = scope["path"].split("/")
        if prefix == "q":
            found = connection.execute(FIND_CODE, (slug,)).fetchone()
            write(found[0], "scan", scope)
            headers = [(b"location", found[7].encode()), (b"cache-control", b"no-store"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 302, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        found = connection.execute(FIND_PAGE, (PREFIXES[prefix], slug)).fetchone()
        write(found[0], "view", scope)
        body = _PAGES.get(scope["path"]) or _read(scope["path"])
        headers = _HEADERS[scope["path"]]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


PREFIXES = {"c": "card", "l": "links", "m": "menu"}


def _read(path: str) -> bytes:
    """The page as the service answers it, put there by the benchmark."""
    with open(os.environ["FLOOR_FILE"] + path.replace("/", "-"), "rb") as file:
        head, _, body = file.read().partition(b"\r\n\r\n")
    lines = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:]]
    _HEADERS[path] = [(name.lower(), value) for name, value in lines if name.lower() not in (b"date", b"server")]
    _PAGES[path] = body
    return body


def writer(connection: sqlite3.Connection) -> Any:
    """The rows of one visit, in a transaction of its own."""

    def write(publication: str, event: str, scope: Any) -> None:
        now = datetime.now(UTC).replace(tzinfo=None)
        day, moment = str(now.date()), str(now)
        agent = dict(scope["headers"]).get(b"user-agent", b"")
        visitor = hashlib.blake2b(scope["client"][0].encode() + agent, digest_size=16).hexdigest()
        key = hashlib.blake2b((visitor + publication + event).encode(), digest_size=16).hexdigest()
        hours = [0] * 24
        hours[now.hour] = 1
        connection.execute("BEGIN IMMEDIATE")
        row = (publication, event, "", moment, day, False, "phone", "Unknown", "Unknown", "", visitor)
        connection.execute(VISIT, row)
        fresh = connection.execute(SEEN, (key, day)).rowcount
        tally = connection.execute(TALLY, (publication, event, "", 1, fresh, 0, moment)).fetchone()[0]
        connection.execute(DAY, (tally, day, f"{day} 00:00:00", 1, fresh, 0, *hours))
        given: list[object] = []
        for dimension, value in DIMENSIONS:
            given += (tally, dimension, value, 1, fresh, day)
        facets = connection.execute(FACETS, given).fetchall()
        slots = [part for id, count, uniques in facets for part in (id, day, count - 1, uniques - fresh)]
        connection.execute(SLOTS, slots)
        connection.execute("COMMIT")

    return write


def rows(columns: int, count: int = 1) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * count)


HOURS = [f"h{hour:02}" for hour in range(24)]
COUNTS = ["count", "uniques", "bots", *HOURS]
DIMENSIONS = (("device", "phone"), ("city", "Unknown"), ("country", "Unknown"), ("referrer", ""))
VISIT = f"""INSERT INTO publishing_visit
  (publication_id, event, part, at, day, bot, device, city, country, referrer, visitor) VALUES {rows(11)}"""
SEEN = "INSERT INTO publishing_seen (key, day) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"
TALLY = f"""INSERT INTO publishing_tally (publication_id, event, part, total, uniques, bots, last_at)
  VALUES {rows(7)} ON CONFLICT (publication_id, event, part) DO UPDATE SET
  total = publishing_tally.total + excluded.total, uniques = publishing_tally.uniques + excluded.uniques,
  last_at = excluded.last_at RETURNING id"""
DAY = f"""INSERT INTO publishing_dayslot (tally_id, day, begins_at, {", ".join(COUNTS)}) VALUES {rows(30)}
  ON CONFLICT (tally_id, day) DO UPDATE SET
  {", ".join(f"{name} = publishing_dayslot.{name} + excluded.{name}" for name in COUNTS)}"""
FACETS = f"""INSERT INTO publishing_facet (tally_id, dimension, value, count, uniques, last_day)
  VALUES {rows(6, len(DIMENSIONS))} ON CONFLICT (tally_id, dimension, value) DO UPDATE SET
  count = publishing_facet.count + excluded.count, uniques = publishing_facet.uniques + excluded.uniques,
  last_day = excluded.last_day RETURNING id, count, uniques"""
SLOTS = f"""INSERT INTO publishing_facetslot (facet_id, day, before_count, before_uniques)
  VALUES {rows(4, len(DIMENSIONS))} ON CONFLICT (facet_id, day) DO NOTHING"""
