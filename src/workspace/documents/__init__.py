"""PDF documents in twenty scripts: typesetting, signing, and verification of submitted files."""

from pathlib import Path

SOURCES = Path(__file__).parent.parent
"""Below it lie all layouts: one of a product's may use the parts of `documents/layouts/parts.typ`."""
