"""Transferring large files: polling a job and downloading its file in chunks, and uploading a ZIP in chunks."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc.errors import CliError
from svc.output import print_message

if TYPE_CHECKING:
    from svc.catalog import Tool
    from svc.client import Client, Result

CHUNK_BYTES = 4 * 1024 * 1024
POLL_SECONDS = 2.0  # seconds between two polls of a job
RUNNING_STATES = ("waiting", "working")
UPLOAD_ARGUMENT = "upload_id"


def save_job_file(client: Client, tool: Tool, result: Result, path: str) -> None:
    """Poll until the job is finished, then write its file."""
    data = result.data
    while data["state"] in RUNNING_STATES:
        time.sleep(POLL_SECONDS)
        data = client.run(tool, {"job_id": data["job_id"]}).data
    file = data.get("file")
    if not file:
        raise CliError(f"No file is available: {data.get('problem') or data['state']}")
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as to:
            client.save_file(str(file["url"]), to)
        part.replace(path)
    except OSError as problem:
        raise CliError(f"Could not write {path}: {problem.strerror}.") from problem
    finally:
        part.unlink(missing_ok=True)
    print_message(f"Wrote {file['name']} to {path}.")


def upload_zip(client: Client, arguments: dict[str, Any]) -> dict[str, Any]:
    """Upload the ZIP file named in the arguments. Return the arguments with its upload id."""
    given = arguments.get(UPLOAD_ARGUMENT)
    if not isinstance(given, str) or not given.lower().endswith(".zip"):
        return arguments
    path, onto, at = Path(given), "", 0
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            while piece := file.read(CHUNK_BYTES):
                fields = {"onto": onto, "at": str(at)} if onto else {"pieces": "yes"}
                onto = str(client.upload(_build_multipart(fields, path.name, piece)).data["upload_id"])
                at += len(piece)
                print_message(f"Sent {at * 100 // size} % of {path.name}.")
    except OSError as problem:
        raise CliError(f"Could not read {given}: {problem.strerror}.") from problem
    return {**arguments, UPLOAD_ARGUMENT: onto}


def _build_multipart(fields: dict[str, str], name: str, content: bytes) -> tuple[bytes, str]:
    import secrets

    mark = f"svc{secrets.token_hex(16)}"
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{text}\r\n' for key, text in fields.items()
    ]
    plain = "".join(char for char in name if char.isalnum() or char in "-_. ") or "everything.zip"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{plain}"\r\n'
    head += "Content-Type: application/zip\r\n\r\n"
    return "".join([*parts, head]).encode() + content + f"\r\n--{mark}--\r\n".encode(), mark
