"""Maintenance of an instance."""

from __future__ import annotations

import json

import click
from django.conf import settings

from workspace.insights import search
from workspace.interfaces.tool_catalog import CATALOG
from workspace.storage import encryption, encryption_keys


def rebuild_search() -> None:
    click.echo(f"{search.rebuild_index():,} items are in the search index.")


def rotate_keys() -> None:
    """Add an encryption key and encrypt all secrets with it.

    If the keys come from the environment, print a new one instead, and encrypt with the first configured key.
    """
    try:
        if settings.ENCRYPTION_KEYS:
            click.echo("Put this key first in WORKSPACE_ENCRYPTION_KEYS, and restart all servers:\n")
            click.echo(
                f"  {encryption_keys.generate_key()}\n\nThen run this command again. It encrypts with the "
                "first key in the list."
            )
        else:
            encryption_keys.add_key()
        renewed = encryption.reencrypt_all()
    except encryption_keys.KeyFileError as unreadable:
        raise click.ClickException(f"{unreadable.reason}: restore the encryption keys from a backup") from None
    click.echo(f"Encrypted {renewed} secrets with the new key. Keep earlier keys as long as you keep old backups.")


def print_catalog() -> None:
    click.echo(json.dumps({"tools": CATALOG.describe()}, ensure_ascii=False, indent=1, sort_keys=True))
