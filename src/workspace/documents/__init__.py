"""PDF documents in twenty scripts: typesetting, signing, and verification of submitted files."""

from pathlib import Path

SOURCES = Path(__file__).parent.parent
"""The folder that contains all layouts. A product's layout may use the parts in `documents/layouts/parts.typ`."""
