"""Error messages of the administrator's commands."""

from __future__ import annotations

import logging
import re
import sys
from typing import Any

import click

from workspace import logs
from workspace.environment import COMMAND

# messages of SQLite and PostgreSQL
_OTHER_VERSION = re.compile(r"no such (?:table|column)|(?:relation|column) .* does not exist")


class PlainErrorGroup(click.Group):
    """A group that reports system errors and wrong settings in one line with the cause, without a traceback.

    If a service runs the command, the line goes to its log.
    """

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return self._invoke_command(ctx)
        except click.ClickException as refusal:
            if ctx.invoked_subcommand not in ("serve", "worker") or sys.stderr.isatty():
                raise
            logs.configure()
            logging.getLogger("workspace.operator").critical(refusal.format_message())
            ctx.exit(refusal.exit_code)

    def _invoke_command(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # `… | head` has read enough; click exits quietly
            raise
        except OSError as problem:
            raise click.ClickException(f"{problem.strerror or problem}: {problem.filename or ''}") from None
        except Exception as problem:
            from workspace.storage.database.errors import StorageFailure, find_storage_failure  # noqa: PLC0415 - Django may not be set up
            from workspace.storage.database.former_database import FormerDatabaseError  # noqa: PLC0415 - the same

            if isinstance(problem, FormerDatabaseError):
                raise click.ClickException(str(problem)) from None
            trouble = find_storage_failure(problem)
            if trouble or type(problem).__module__.startswith(("django.db", "psycopg")):
                cause = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
                if _OTHER_VERSION.search(cause[0]):
                    text = f"The database does not match this version ({cause[0]}). Run `{COMMAND} upgrade`"
                    raise click.ClickException(text) from None
                text = f"{(trouble or StorageFailure.UNREACHABLE).detail} ({cause[0]}). "
                text += (
                    "Check WORKSPACE_DATABASE_URL"
                    if trouble in (None, StorageFailure.UNREACHABLE)
                    else "Nothing was changed"
                )
                raise click.ClickException(text) from None
            raise
