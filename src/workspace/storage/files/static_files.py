"""Style sheets and scripts, as they are put together for a server: named by their content, also where one script
imports another (else a browser might keep the old one beside the new), and ours without the comments and the
indentation that only who writes them reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

import workspace

_OWN_FOLDER, _VENDOR_FOLDER = Path(workspace.__file__).parent, "vendor"  # what is not ours is sent as it came
_STRIPPED_PATTERNS = {
    ".js": re.compile(r"^\s*(?://.*)?\n?", re.MULTILINE),
    ".css": re.compile(r"^\s*(?:/\*[^*]*\*/\s*$)?\n?", re.MULTILINE),
}


class CollectedFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        for name, (source, given) in paths.items():
            lean, origin = _STRIPPED_PATTERNS.get(Path(name).suffix), Path(source.path(given))
            if (
                lean is not None
                and not dry_run
                and origin.is_relative_to(_OWN_FOLDER)
                and _VENDOR_FOLDER not in origin.parts
            ):
                Path(self.path(name)).write_text(lean.sub("", origin.read_text()))
        # of what lies here now, not of the source
        yield from super().post_process({name: (self, name) for name in paths}, dry_run, **options)
