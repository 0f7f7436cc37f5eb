"""Style sheets, scripts, fonts and pictures of ours as a server sends them: under names that change with their content,
so that browsers keep them for a year, and compressed beforehand."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.test.utils import override_settings


def folder() -> Path:
    """Where they lie in the data folder; collected anew when one of them has changed."""
    here: Path = settings.DATA / "static"
    wanted = here / _version()
    if not wanted.exists():
        unfinished = here / "unfinished"
        shutil.rmtree(here, ignore_errors=True)
        with override_settings(STATIC_ROOT=unfinished, STORAGES=settings.COLLECTED_STORAGES):
            call_command("collectstatic", interactive=False, verbosity=0)
        unfinished.rename(wanted)
    return wanted


def _version() -> str:
    found = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda each: str(each[0])):
            facts = Path(storage.path(path)).stat()
            found.update(f"{path}|{facts.st_size}|{facts.st_mtime_ns}\n".encode())
    return found.hexdigest()[:12]
