"""Work for the first requests that is done once before the server listens, and not in every thread."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from django.conf import settings
from django.template import Engine
from django.template.loader import get_template
from django.template.utils import get_app_template_dirs
from django.urls import reverse

from workspace.lib.lazy import run_startup_builds

_GUEST_PAGE = "public/page.html"
_TEMPLATE_REFERENCE = re.compile(r'{%\s*(extends|include)\s+"([^"]+)"')


def warm_up() -> None:
    """Run all functions registered for the start. Call it in one thread, after all modules are imported."""
    reverse("guest-challenge")  # resolving one name reads all URL patterns
    Engine.get_default().template_context_processors  # noqa: B018 - imports them
    for name in list_guest_templates():
        get_template(name)
    run_startup_builds()


def list_guest_templates() -> set[str]:
    """Return the names of guest templates: pages that extend the guest base page, and everything they include.

    Many guests may arrive at once. Owners' pages are compiled when they are opened, and emails when they are rendered.
    """
    uses = {name: _TEMPLATE_REFERENCE.findall(path.read_text()) for name, path in list_templates().items()}
    pages = _transitive_closure(
        {_GUEST_PAGE}, lambda name: (other for other in uses if ("extends", name) in uses[other])
    )
    return _transitive_closure(pages, lambda name: (other for _, other in uses[name] if other in uses))


def list_templates() -> dict[str, Path]:
    """Return our own templates, keyed by name."""
    folders = [Path(folder) for folder in get_app_template_dirs("templates")]
    own = [folder for folder in folders if folder.is_relative_to(settings.ROOT)]
    return {path.relative_to(folder).as_posix(): path for folder in own for path in folder.rglob("*.*")}


def _transitive_closure(names: set[str], following: Callable[[str], Iterable[str]]) -> set[str]:
    """Return the names and everything reachable from them."""
    found, waiting = set(names), list(names)
    while waiting:
        new = set(following(waiting.pop())) - found
        found |= new
        waiting += new
    return found
