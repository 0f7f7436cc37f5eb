"""What a command does, read once it is called."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import django

from workspace.lib.process_start import pause_garbage_collection


def load_module(name: str) -> Any:
    """A module of the command, once Django is set up, since it imports models."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    with pause_garbage_collection():
        django.setup()
        return import_module(f"workspace.interfaces.admin_cli.{name}")
