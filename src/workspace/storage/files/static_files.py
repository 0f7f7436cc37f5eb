"""Static files as collected for a server.

Their names depend on their content, including scripts that other scripts import, because a browser might otherwise use
an old version. Comments and indentation are removed from our own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

import workspace

_OWN_FOLDER, _VENDOR_FOLDER = Path(workspace.__file__).parent, "vendor"  # vendored files are served unchanged
_STRIPPED_PATTERNS = {
    ".js": re.compile(r"^\s*(?://.*)?\n?", re.MULTILINE),
    ".css": re.compile(r"^\s*(?:/\*[^*]*\*/\s*$)?\n?", re.MULTILINE),
}


def remove_comments(path: Path) -> str:
    """Return the text of a style sheet or script of ours without comments and indentation."""
    return _STRIPPED_PATTERNS[path.suffix].sub("", path.read_text())


class CollectedFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        for name, (source, given) in paths.items():
            origin = Path(source.path(given))
            if (
                origin.suffix in _STRIPPED_PATTERNS
                and not dry_run
                and origin.is_relative_to(_OWN_FOLDER)
                and _VENDOR_FOLDER not in origin.parts
            ):
                Path(self.path(name)).write_text(remove_comments(origin))
        # of the files in this folder, not of their sources
        yield from super().post_process({name: (self, name) for name in paths}, dry_run, **options)
