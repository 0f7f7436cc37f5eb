"""Check texts: `python -m tests.words [PATH …]`.

It lists all faults, or those of these files and folders. `python -m tests.words texts PATH …` prints the texts.
"""

from __future__ import annotations

import os
import sys
import tempfile

from tests.words.extraction import list_texts
from tests.words.rules import find_faults


def main(arguments: list[str]) -> int:
    """Run the command. Return 1 if a text breaks a rule."""
    texts = list_texts()
    if arguments[:1] == ["texts"]:
        for text in texts:
            if text.path.startswith(tuple(arguments[1:]) or ""):
                print(f"{text.place}\t{text.kind}\t{text.text}")
        return 0
    faults = [fault for fault in find_faults(texts) if fault.text.path.startswith(tuple(arguments) or "")]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    os.environ.setdefault("WORKSPACE_DATA", f"{tempfile.gettempdir()}/workspace-checks")
    import django

    django.setup()
    sys.exit(main(sys.argv[1:]))
