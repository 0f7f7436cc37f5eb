"""Lazy loading of the modules that implement commands."""

from __future__ import annotations

import atexit
import gc
import os
from importlib import import_module
from typing import Any

import django

from workspace.lib.garbage_collection import pause_garbage_collection


def load_module(name: str) -> Any:
    """Import a module that implements commands, after setting up Django, because it imports models.

    The loaded objects exist until the command ends, so garbage collections need not scan them, not even at the exit.
    Raise FormerDatabaseError if the database predates a change that cannot be migrated.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    with pause_garbage_collection():
        django.setup()
        from workspace.storage.database import former_database  # noqa: PLC0415 - needs the settings

        former_database.check_database()
        module = import_module(f"workspace.interfaces.admin_cli.{name}")
        gc.freeze()
        from django.db import connections  # noqa: PLC0415 - needs the settings

        atexit.register(connections.close_all)  # SQLite moves its log into the database file when it is closed
        return module
