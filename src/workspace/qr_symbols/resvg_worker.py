"""The work of resvg, which holds the interpreter for as long as it draws: here, or as that of a child process."""

import json


def handle(content: bytes) -> bytes:
    """resvg's options in JSON become a PNG."""
    import resvg_py

    return resvg_py.svg_to_bytes(**json.loads(content))
