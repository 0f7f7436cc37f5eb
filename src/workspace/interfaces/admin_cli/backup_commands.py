"""Commands for a whole instance: backup, restore, upgrade, and migration to another database."""

from __future__ import annotations

import click

from workspace.interfaces.admin_cli.lazy_commands import load_module


def add_backup_commands(main: click.Group) -> None:
    @main.command()
    @click.argument("file", type=click.Path(dir_okay=False))
    @click.option("--without-files", is_flag=True, help="Exclude uploads, if you back them up separately.")
    def backup(file: str, without_files: bool) -> None:
        """Back up the database, uploads and keys to FILE (.tar or .tar.gz) while the service runs."""
        load_module("backups.backup").run_backup(file, with_files=not without_files)

    @main.command()
    @click.argument("file", type=click.Path(dir_okay=False))
    @click.option("--over", is_flag=True, help="Replace the instance on this server.")
    @click.option("--sha256", default="", help="Checksum printed by `backup`. A changed FILE is refused.")
    def restore(file: str, over: bool, sha256: str) -> None:
        """Restore a backup FILE. If anything fails, nothing is changed. Stop the service first."""
        load_module("backups.restore").restore_backup(file, replace_existing=over, sha256=sha256)

    @main.command()
    @click.argument("to")
    def move(to: str) -> None:
        """Move this instance to another database. Stop the service first.

        From SQLite, TO is an empty PostgreSQL database (postgresql://…). From PostgreSQL, TO is a data folder."""
        load_module("backups.database_migration").migrate_instance(to)

    @main.command()
    @click.option(
        "--backup", "into", type=click.Path(dir_okay=False), help="Path of the backup. Defaults to data/backups/."
    )
    def upgrade(into: str | None) -> None:
        """Back up, migrate and check the database after installing a new version. Stop the service first."""
        load_module("backups.upgrade").upgrade_instance(into)

    @main.group("files")
    def of_files() -> None:
        """Manage the storage of uploads and PDFs."""

    @of_files.command("move")
    def files_move() -> None:
        """Move stored files to the bucket (WORKSPACE_S3_BUCKET) while the service runs."""
        load_module("backups.file_migration").move_files_to_bucket()

    @of_files.command("restore")
    def files_restore() -> None:
        """Copy all files from the bucket back to this server, before you remove the setting."""
        load_module("backups.file_migration").restore_files_from_bucket()
