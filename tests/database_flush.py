"""Emptying of the database after a test that commits, and removal of the PostgreSQL database after the last one.

Django's flush truncates every table and then writes all content types and permissions again, which takes half a second.
This module deletes only from tables with rows, and preserves rows written by migrations.
"""

from __future__ import annotations

import functools
from typing import Any

from django.db import connections, transaction

FROM_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}


def empty_database(alias: str) -> None:
    """Delete the rows that tests have written to this database."""
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.execute(_question(alias))
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {connections[alias].ops.quote_name(name)}")


def empty_databases(test: Any) -> None:
    """Replace `TransactionTestCase._fixture_teardown`."""
    for alias in test._databases_names(include_mirrors=False):
        empty_database(alias)


def drop_database(name: str, verbosity: int) -> None:
    """Replace `DatabaseCreation._destroy_test_db` on PostgreSQL.

    A thread of a test may not have closed its connection yet. PostgreSQL then refuses a plain DROP DATABASE.
    """
    connection = connections["default"]
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)} WITH (FORCE)")


@functools.cache
def _question(alias: str) -> str:
    """Return the SQL that selects the names of tables with rows."""
    connection = connections[alias]
    tables = sorted(set(connection.introspection.django_table_names(only_existing=True)) - FROM_MIGRATIONS)
    quote = connection.ops.quote_name
    return " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in tables)
