"""Lists for import, pasted into a field or uploaded as a file."""

from __future__ import annotations

from django.http import HttpRequest

from workspace.dashboard.messages import LIST_TOO_LARGE
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import text_encoding, workbook_reader
from workspace.lib.tabular.csv_lines import MAX_BYTES, MAX_CHARACTERS


def read_list_text(request: HttpRequest, field: str) -> tuple[str, str]:
    """Return the text of the posted `file` or, without a file, of the field, and a note on how it was read.

    Read only the first sheet of a workbook. Raise InvalidInputError at the field for a file that is too large or
    unreadable, and BusyError if the machine is too busy.
    """
    file = request.FILES.get("file")
    if file is None or not file.size:
        text = request.POST.get(field, "")
        return text.replace("\r\n", "\n").replace("\r", "\n"), ""
    if file.size > MAX_BYTES:
        raise InvalidInputError.at_path(field, LIST_TOO_LARGE(maximum=f"{MAX_CHARACTERS:,}"))
    try:
        content = file.read()
        return (
            workbook_reader.read_text(content)
            if workbook_reader.is_workbook(content)
            else text_encoding.decode_text(content)
        )
    except ValueError as problem:
        raise InvalidInputError.at_path(field, str(problem)) from None
