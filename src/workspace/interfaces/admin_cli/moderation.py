"""Reports of abuse, and bans of public pages."""

from __future__ import annotations

import re

import click

from workspace.accounts.plans import PRODUCTS
from workspace.lib import clock
from workspace.publishing import moderation
from workspace.publishing.models import Address, Publication, Report


def ban_address(address: str, reason: str) -> None:
    publication = _get_publication(address)
    if publication.banned_at:
        raise click.ClickException(f"{address} is already banned ({publication.ban_reason}).")
    moderation.ban_publication(publication, reason)
    click.echo(f"Banned {address}. To undo this, run `unban {address}`.")


def unban_address(address: str) -> None:
    publication = _get_publication(address)
    if not publication.banned_at:
        raise click.ClickException(f"{address} is not banned.")
    moderation.unban_publication(publication)
    click.echo(f"{address} is online again.")


def list_reports() -> None:
    found = Report.objects.filter(resolved_at=None).select_related("publication").order_by("created_at")[:200]
    for report in found:
        publication = report.publication
        path = PRODUCTS[publication.kind].path if publication.kind in PRODUCTS else f"/{publication.kind}/"
        note = " ".join(report.note.split())[:120]
        click.echo(f"{clock.to_iso(report.created_at)}  {path}{publication.slug}  {report.reason}  {note}")
    if not found:
        click.echo("No open reports.")


def _get_publication(address: str) -> Publication:
    match = re.search(r"(?:^|/)(?P<letter>[a-z])/(?P<slug>[A-Za-z0-9-]+)$", address.strip().lower())
    kinds = {product.path.strip("/"): product.key for product in PRODUCTS.values()}
    found = Address.find_by_slug(kinds.get(match["letter"], ""), match["slug"]) if match else None
    if found is None:
        raise click.ClickException(f"{address} is not a public URL of this instance")
    return found.publication
