"""Our static files as the server sends them.

Their names change with their content, so that browsers can cache them for a year, and they are compressed in advance.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders

from workspace.storage.files import static_files

FOLDER_VARIABLE = "COLLECTED_STATIC_FILES"  # read by the settings


def collect_files() -> Path:
    """Collect the static files if any of them has changed. Return their folder inside the data folder."""
    here: Path = settings.DATA / "static"
    wanted = here / _compute_version()
    if not wanted.exists():
        unfinished = here / "unfinished"
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir(parents=True)
        # in a new process, whose settings contain the target folder from the start
        subprocess.run(
            [sys.executable, "-m", "django", "collectstatic", "--no-input", "--verbosity=0"],
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "workspace.settings", FOLDER_VARIABLE: str(unfinished)},
            check=True,
        )
        unfinished.rename(wanted)
    return wanted


def serve_from_folder(folder: Path) -> None:
    """Make this process and its child processes serve the collected files. Call it before rendering the first page."""
    os.environ[FOLDER_VARIABLE] = str(folder)
    settings.STATIC_ROOT = str(folder)
    settings.STORAGES = {**settings.STORAGES, "staticfiles": settings.COLLECTED_STATIC_FILES}
    settings.WHITENOISE_USE_FINDERS = False


def _compute_version() -> str:
    found = hashlib.sha256(Path(static_files.__file__).read_bytes())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda each: str(each[0])):
            facts = Path(storage.path(path)).stat()
            found.update(f"{path}|{facts.st_size}|{facts.st_mtime_ns}\n".encode())
    return found.hexdigest()[:12]
