"""Style sheets, scripts, fonts and pictures of ours as a server sends them: under names that change with their content,
so that browsers keep them for a year, and compressed beforehand."""

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

FOLDER_VARIABLE = "COLLECTED_STATIC_FILES"  # where settings look


def collect_files() -> Path:
    """Where they lie in the data folder; collected anew when one of them has changed."""
    here: Path = settings.DATA / "static"
    wanted = here / _compute_version()
    if not wanted.exists():
        unfinished = here / "unfinished"
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir(parents=True)
        # by a process whose settings say from its beginning where to put them
        subprocess.run(
            [sys.executable, "-m", "django", "collectstatic", "--no-input", "--verbosity=0"],
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "workspace.settings", FOLDER_VARIABLE: str(unfinished)},
            check=True,
        )
        unfinished.rename(wanted)
    return wanted


def use_folder(folder: Path) -> None:
    """Have this process, and those that it starts, send them. Before it has drawn a page."""
    os.environ[FOLDER_VARIABLE] = str(folder)
    settings.STATIC_ROOT = str(folder)
    settings.STORAGES = settings.COLLECTED_STORAGES
    settings.WHITENOISE_USE_FINDERS = False


def _compute_version() -> str:
    found = hashlib.sha256(Path(static_files.__file__).read_bytes())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda each: str(each[0])):
            facts = Path(storage.path(path)).stat()
            found.update(f"{path}|{facts.st_size}|{facts.st_mtime_ns}\n".encode())
    return found.hexdigest()[:12]
