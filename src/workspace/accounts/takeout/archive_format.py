"""Names and limits of the export format, version 2."""

from __future__ import annotations

import re

FORMAT = "workspace-tools account"
VERSION = 2
MANIFEST = "manifest.json"
INDEX = "index.html"
NOTE_FILES = ("README.txt", INDEX)
MEDIA_TYPE = "application/zip"

MAX_ROWS = 1_000_000
MAX_FILES = 20_000
MAX_ROW_BYTES = 4 * 1024 * 1024  # of one line
MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_MANIFEST_BYTES = 1024 * 1024
MAX_UNPACKED_BYTES = 1536 * 1024 * 1024  # of all entries, uncompressed
MAX_ARCHIVE_BYTES = 1024 * 1024 * 1024  # of the ZIP itself

TABLE_PATTERN = re.compile(r"tables/([a-z_]+\.[a-z_]+)\.jsonl")
FILE_PATTERN = re.compile(r"files/([A-Za-z0-9_-]{1,120})")


def table_entry(name: str) -> str:
    return f"tables/{name}.jsonl"


def file_entry(key: str) -> str:
    return f"files/{key}"
