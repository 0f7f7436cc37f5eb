"""Running functions in a separate process, on the tests' database.

The process is `python -m workspace.testing.separate_process DATABASE FUNCTION WORDS`, where FUNCTION is written as
`package.module:name`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO, Any

from workspace.testing import fork_server


def start(
    function: str, *words: str, stdout: IO[Any] | int | None = None, **variables: str
) -> fork_server.Popen | subprocess.Popen[bytes]:
    """Start the process. `variables` are added to its environment."""
    from django.db import connection

    database = str(connection.settings_dict["NAME"])
    command = [sys.executable, "-m", "workspace.testing.separate_process", database, function, *words]
    return fork_server.start(command, env=os.environ | variables, stdout=stdout)


def main(database: str, function: str, *words: str) -> None:
    import importlib

    os.environ["DJANGO_SETTINGS_MODULE"] = "workspace.settings"
    import django
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    module, _, name = function.partition(":")
    getattr(importlib.import_module(module), name)(*words)


if __name__ == "__main__":
    main(*sys.argv[1:])
