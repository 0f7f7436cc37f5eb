"""The administrator's decisions on withheld invite rewards."""

from __future__ import annotations

import click

from workspace.accounts.models import InvitePair
from workspace.accounts.models.invite_pair import HELD
from workspace.billing import invite_rewards
from workspace.environment import COMMAND
from workspace.lib import clock


def _print_withheld_invitations() -> None:
    found = InvitePair.objects.filter(state=HELD).select_related("friend", "inviter").order_by("paid_at", "id")[:200]
    for pair in found:
        inviter = f"{pair.inviter.name} ({pair.inviter_id})" if pair.inviter else "a closed account"
        friend = f"{pair.friend.name} ({pair.friend_id})"
        click.echo(f"{pair.pk}  {clock.to_iso(pair.paid_at)}  {friend} by {inviter}: {pair.reason}")
    if not found:
        click.echo("No invitations are waiting for review.")


def decide_invitation(id: int | None, answer: str | None) -> None:
    if id is None:
        _print_withheld_invitations()
        return
    if answer is None:
        raise click.ClickException(f"Add an answer: {COMMAND} invites {id} release, or deny")
    if not invite_rewards.decide_held_pair(id, release=answer == "release"):
        raise click.ClickException(
            f"Invitation {id} is not waiting for review. To list those that are, run `{COMMAND} invites`."
        )
    click.echo("Free months granted." if answer == "release" else "Free months denied.")
