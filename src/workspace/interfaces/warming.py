"""What the first requests would build, every thread for itself, is built once and before the server listens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.template import Engine
from django.template.loader import get_template
from django.template.utils import get_app_template_dirs
from django.urls import reverse

from workspace.toolkit.lazily import build_ahead

_MAILS = {"mail", "email", "messages"}


def warm_up() -> None:
    """Call in one thread, with every module imported that says `ahead`."""
    reverse("guest-work")  # to find one address all are read
    Engine.get_default().template_context_processors  # noqa: B018 - imports them
    for name in templates():
        get_template(name)
    build_ahead()


def templates() -> Iterator[str]:
    """The names of the suite's own pages. What the libraries bring is hardly ever shown, and a mail has time."""
    for folder in (Path(folder) for folder in get_app_template_dirs("templates")):
        if folder.is_relative_to(settings.ROOT):
            for path in folder.rglob("*.*"):
                if _MAILS.isdisjoint(path.relative_to(folder).parts):
                    yield path.relative_to(folder).as_posix()
