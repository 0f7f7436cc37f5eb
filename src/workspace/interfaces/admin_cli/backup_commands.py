"""Commands for a whole instance: backup, restore, upgrade, migration to another database."""

from __future__ import annotations

import click

from workspace.interfaces.admin_cli.lazy_command import load_module


def add_backup_commands(main: click.Group) -> None:
    @main.command()
    @click.argument("file", type=click.Path(dir_okay=False))
    @click.option("--without-files", is_flag=True, help="Leave out uploads, where they are backed up in another way.")
    def backup(file: str, without_files: bool) -> None:
        """Copy the database, the uploads and the keys into FILE (.tar or .tar.gz) while the service runs."""
        load_module("backups.backup").run_backup(file, with_files=not without_files)

    @main.command()
    @click.argument("file", type=click.Path(dir_okay=False))
    @click.option("--over", is_flag=True, help="Take the place of the installation that is here.")
    @click.option("--sha256", default="", help="What `backup` has printed: refuse a FILE that was changed since.")
    def restore(file: str, over: bool, sha256: str) -> None:
        """Put back what `backup` has copied into FILE, whole or not at all. The service must not run."""
        load_module("backups.restore").restore(file, over=over, sha256=sha256)

    @main.command()
    @click.argument("to")
    def move(to: str) -> None:
        """Carry all of this installation from SQLite to the empty PostgreSQL database TO (postgresql://…), or from
        PostgreSQL to the data folder TO. The service must not run."""
        load_module("backups.database_migration").move(to)

    @main.command()
    @click.option("--backup", "into", type=click.Path(dir_okay=False), help="Where the copy goes; else data/backups/.")
    def upgrade(into: str | None) -> None:
        """Copy the database, bring it up to date and look at it, after a later version was installed. The service must
        not run."""
        load_module("backups.upgrade").upgrade(into)

    @main.group("files")
    def of_files() -> None:
        """Where uploads and papers rest."""

    @of_files.command("move")
    def files_move() -> None:
        """Move files that rest here into the bucket (WORKSPACE_S3_BUCKET), while the service runs."""
        load_module("backups.file_migration").move()

    @of_files.command("bring-back")
    def files_bring_back() -> None:
        """Copy all files of the bucket to here, before the setting is taken out."""
        load_module("backups.file_migration").restore_files()
