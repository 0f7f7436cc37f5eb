"""Rendering with resvg, which holds the interpreter lock: in this process or in a subprocess."""

import json


def handle(content: bytes) -> bytes:
    """Render a PNG according to resvg's options, given as JSON."""
    import resvg_py

    return resvg_py.svg_to_bytes(**json.loads(content))
