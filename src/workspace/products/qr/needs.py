"""What the owner of codes should see to: those whose scans end at something of the same account that is not shown."""

from __future__ import annotations

from django.conf import settings

from workspace.accounts.models import Account
from workspace.publishing import things
from workspace.publishing.manifest import Need
from workspace.publishing.models import Address, State

MOST_READ, MOST_TOLD = 200, 3
_WORDS = {State.PAUSED: "is switched off", State.EXPIRED: "is not shown any more", State.DELETED: "is deleted"}


def needs(account: Account) -> list[Need]:
    """Two queries."""
    own = account.codes.filter(target_url__startswith=f"{settings.BASE_URL}/", publication__paused_at=None)
    leads = [(code, named) for code in own[:MOST_READ] if (named := things.read(code.target_url)) and named.kind]
    if not leads:
        return []
    addresses = Address.objects.filter(
        publication__account=account,
        kind__in={named.kind for _, named in leads},
        slug__in={named.slug for _, named in leads},
    ).select_related("publication")
    states = {(address.kind, address.slug): address.publication.state for address in addresses}
    found = []
    for code, named in leads:
        word = _WORDS.get(states.get((named.kind, named.slug), State.LIVE))
        if word:
            noun = things.a(things.manifest(named.kind).noun)
            found.append(Need(f"“{code.name}” leads to {noun} that {word}", f"/app/qr/{code.pk}"))
    return found[:MOST_TOLD]
