"""The shape of what is taken along, version 1, and how much of it there may be."""

from __future__ import annotations

import re

FORMAT = "workspace-tools account"
VERSION = 1
MANIFEST = "manifest.json"
INDEX = "index.html"
NOTES = ("README.txt", INDEX)
MEDIA_TYPE = "application/zip"

MOST_ROWS = 1_000_000
MOST_FILES = 20_000
LONGEST_ROW = 4 * 1024 * 1024  # bytes of a line
LARGEST_FILE = 32 * 1024 * 1024
LARGEST_MANIFEST = 1024 * 1024
MOST_BYTES = 1536 * 1024 * 1024  # unpacked, of everything
LARGEST_PACK = 1024 * 1024 * 1024  # as a ZIP

TABLE = re.compile(r"tables/([a-z_]+\.[a-z_]+)\.jsonl")
FILE = re.compile(r"files/([A-Za-z0-9_-]{1,120})")


def table_entry(name: str) -> str:
    return f"tables/{name}.jsonl"


def file_entry(key: str) -> str:
    return f"files/{key}"
