"""Static files as collected for a server.

They are named by their content, including scripts that other scripts import, because a browser might otherwise use
an old version of one. Comments and indentation are removed from our own files. A style sheet that imports others holds
them instead, so that a browser requests one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

import workspace

_OWN_FOLDER = Path(workspace.__file__).parent
_UNCHANGED_FOLDERS = {"vendor", "generated"}  # their files are served as they are
_STRIPPED_PATTERNS = {
    ".js": re.compile(r"^\s*(?://.*)?\n?", re.MULTILINE),
    ".css": re.compile(r"^\s*(?:/\*[^*]*\*/\s*$)?\n?", re.MULTILINE),
}
_SPACES = re.compile(r"(?<=[:;{},]) +| +(?=[{}])")  # none of our texts in quotes has them
_IMPORT = re.compile(r'@import "([^"]+)";\n?')


def remove_comments(path: Path) -> str:
    """Return the text of one of our style sheets or scripts, and of its imports, without comments and indentation."""
    text = _STRIPPED_PATTERNS[path.suffix].sub("", path.read_text())
    if path.suffix == ".css" and not _UNCHANGED_FOLDERS & set(path.parts):
        text = _IMPORT.sub(lambda found: remove_comments(path.parent / found[1]), _SPACES.sub("", text))
    return text


class CollectedFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        for name, (source, given) in paths.items():
            origin = Path(source.path(given))
            if (
                origin.suffix in _STRIPPED_PATTERNS
                and not dry_run
                and origin.is_relative_to(_OWN_FOLDER)
                and not _UNCHANGED_FOLDERS & set(origin.parts)
            ):
                Path(self.path(name)).write_text(remove_comments(origin))
        # the hashes of the files in this folder, not of their sources
        yield from super().post_process({name: (self, name) for name in paths}, dry_run, **options)
