"""The first page of a PDF as an image, rendered in a subprocess.

The preview shows the stored file, even if its source data has changed since."""

from __future__ import annotations

from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.subprocess_worker.pool import SubprocessError
from workspace.qr_symbols.render_pool import render_pool

_PAGE = b"""#set page(width: %dpt, height: auto, margin: 0pt)
#image(bytes(json(bytes(sys.inputs.file))), format: "pdf", page: 1, width: 100%%)"""


def render_preview(pdf: bytes, *, width: int) -> bytes:
    """Return a PNG that is `width` pixels wide.

    Raise OperationNotAllowedError if the file cannot be rendered, and BusyError if the machine has no capacity."""
    try:
        return render_pool.run(__name__, b"%d\n%b" % (width, pdf))
    except SubprocessError:
        raise OperationNotAllowedError("This file can't be shown as an image") from None


def handle(content: bytes) -> bytes:
    """Render the preview in the subprocess.

    The subprocess may not write files, so the PDF is passed as numbers, which takes 0.2 s per megabyte."""
    import typst

    width, _, pdf = content.partition(b"\n")
    made: bytes = typst.compile(
        _PAGE % int(width),
        font_paths=typst.Fonts(include_system_fonts=False, include_embedded_fonts=False),
        sys_inputs={"file": str(list(pdf))},
        format="png",
        ppi=72,
    )
    return made
