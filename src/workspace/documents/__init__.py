"""Documents that prove themselves: texts of twenty scripts on paper, sealed, and told again when they come back."""

from pathlib import Path

SOURCES = Path(__file__).parent.parent
"""Below it lie all layouts: one of a product's may use the parts of `documents/layouts/parts.typ`."""
