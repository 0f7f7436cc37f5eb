"""The work of resvg, which holds the interpreter for as long as it draws: here, or as that of a child process."""

import json

import resvg_py


def answer(content: bytes) -> bytes:
    """resvg's options in JSON become a PNG."""
    return resvg_py.svg_to_bytes(**json.loads(content))
