"""How a file that was made here looks on a screen: its first page as a picture, drawn in a child process. So a paper is
shown as it was made, whatever it was made of has become since."""

from __future__ import annotations

from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.subprocess_worker.pool import SubprocessError
from workspace.qr_symbols.render_pool import render_pool

_PAGE = b"""#set page(width: %dpt, height: auto, margin: 0pt)
#image(bytes(json(bytes(sys.inputs.file))), format: "pdf", page: 1, width: 100%%)"""


def render_preview(pdf: bytes, *, width: int) -> bytes:
    """A PNG `width` pixels wide. Raises OperationNotAllowedError for what is no file that can be drawn, and BusyError
    when the machine has no time for it."""
    try:
        return render_pool.run(__name__, b"%d\n%b" % (width, pdf))
    except SubprocessError:
        raise OperationNotAllowedError("This file cannot be shown as a picture") from None


def handle(content: bytes) -> bytes:
    """The work of the child, which may write no file: the PDF goes in as numbers, of which a megabyte takes 0.2 s."""
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
