"""Redaction of log messages: which parts are removed, and which remain."""

import json
import logging

import pytest

from workspace.logs import JsonLine, redact_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key svc_live_abcDEF012 is bad", "key svc_live_… is bad"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer …"),
        ("Basic dXNlcjpwYXNz", "Basic …"),
        ("postgresql://shop:hunter2@db.example:5432/shop", "postgresql://…@db.example:5432/shop"),
        (
            "connection failed: host=db password=hunter2 dbname=shop",
            "connection failed: host=db password=… dbname=shop",
        ),
        ("{'password': 'hunter2', 'name': 'Ann'}", "{'password': '…', 'name': 'Ann'}"),
        ("GET /q/abc?token=1&x=2 failed", "GET /q/abc?… failed"),
        ("see https://example.com/a?b=c now", "see https://example.com/a?… now"),
        ("from 203.0.113.9 port 80", "from … port 80"),
        ("from 2001:db8::1, and ::ffff:203.0.113.9", "from …, and …"),
        ("at http://127.0.0.1:8000 and [::1]", "at http://127.0.0.1:8000 and [::1]"),
        ("at 12:30:45 with version 3.11.7", "at 12:30:45 with version 3.11.7"),
        ('File "/srv/workspace/front_door.py", line 12', 'File "/srv/workspace/front_door.py", line 12'),
        ("How? Nobody knows", "How? Nobody knows"),
    ],
)
def test_secrets_are_redacted_and_the_rest_remains(text, shown):
    assert redact_text(text) == shown


@pytest.mark.parametrize("text", ["a:" * 200_000, "/" * 400_000, "/a" * 200_000, "1." * 200_000, "://" + "a" * 400_000])
def test_a_long_text_is_redacted_quickly(text):
    redact_text(text)  # within the test's time limit, which a quadratic pattern would miss


def test_a_record_with_mismatched_arguments_is_still_logged():
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "%d of %s", ("one",), None)
    line = json.loads(JsonLine().format(record))
    assert line["event"].startswith("%d of %s")


def test_a_record_is_one_line_with_its_traceback():
    try:
        raise ValueError("on\nseveral lines, from 203.0.113.9")
    except ValueError as error:
        record = logging.LogRecord(
            "x", logging.ERROR, "x.py", 1, "failed", (), (ValueError, error, error.__traceback__)
        )
    text = JsonLine().format(record)
    assert "\n" not in text
    line = json.loads(text)
    assert "several lines, from …" in line["exception"]
    assert line["exception"].startswith("Traceback")
