"""Connections: a person lets an OAuth client act for an account while its tokens can be renewed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min, QuerySet

from workspace.accounts import messages
from workspace.accounts.models import (
    Account,
    ConnectionChoice,
    Membership,
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthRefreshToken,
    Person,
)
from workspace.accounts.models.oauth import bucket_for_client
from workspace.accounts.product_scope import ToolScope, describe_scope, parse_scope
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.rate_limits.models import CallQuota
from workspace.storage.database.transactions import write_transaction


@dataclass(frozen=True, slots=True)
class Connection:
    """A client's access to an account on behalf of a person.

    `id` identifies it in forms. `last_used_at` is None if it has made no call.
    """

    id: str
    client: OAuthClient
    person: Person
    can_write: bool
    connected_at: datetime
    last_used_at: datetime | None
    products: ToolScope

    @property
    def product_names(self) -> str:
        """The names of the chosen products, or "" for all."""
        return describe_scope(self.products) if self.products is not None else ""


def connections_for(account: Account, *, seen_by: Person) -> list[Connection]:
    """Return the account's connections, latest first. An owner sees all of them, other members only their own."""
    seen = _visible_tokens(account, seen_by)
    usable = seen.filter(revoked=None).exclude(access_token=None).select_related("application", "user", "access_token")
    live = list(usable.order_by("-created", "-pk"))
    first = {
        (client, person): moment
        for client, person, moment in seen.values_list("application", "user").annotate(moment=Min("created"))
    }
    used = dict(
        CallQuota.objects.filter(
            key__in={bucket_for_client(account.pk, token.application_id) for token in live}
        ).values_list("key", "last_used_at")
    )
    choices = {
        (choice.client_id, choice.person_id): parse_scope(choice.products)
        for choice in ConnectionChoice.objects.filter(account=account)
    }
    found: dict[str, Connection] = {}
    for token in live:
        id = token.access_token.connection_id
        earlier = found.get(id)
        found[id] = Connection(
            id=id,
            client=token.application,
            person=token.user,
            can_write=token.access_token.can_write or (earlier is not None and earlier.can_write),
            connected_at=first[token.application_id, token.user_id],
            last_used_at=used.get(bucket_for_client(account.pk, token.application_id)),
            products=choices.get((token.application_id, token.user_id)),
        )
    return list(found.values())


def get_connection(account: Account, id: str, *, seen_by: Person) -> Connection:
    """Return the connection with this ID. Raise NotFoundError if there is none."""
    for connection in connections_for(account, seen_by=seen_by):
        if connection.id == id:
            return connection
    raise NotFoundError(messages.CONNECTION_NOT_FOUND)


def revoke_connection(account: Account, id: str, *, by: Person) -> str:
    """Revoke all access of a connection immediately and return the client's name.

    Raise NotFoundError if there is none.
    """
    client, _, person = id.partition("-")
    if not (client.isascii() and client.isdigit() and person.isascii() and person.isdigit()) or len(id) > 36:
        raise NotFoundError(messages.CONNECTION_NOT_FOUND)
    mine = _visible_tokens(account, by).filter(application_id=int(client), user_id=int(person))
    token = mine.select_related("application", "user").first()
    if token is None:
        raise NotFoundError(messages.CONNECTION_ENDED)
    of_it = {"account": account, "application_id": token.application_id, "user_id": token.user_id}
    with write_transaction():
        OAuthGrant.objects.filter(**of_it).delete()
        OAuthRefreshToken.objects.filter(**of_it, revoked=None).update(revoked=clock.now(), access_token=None)
        OAuthAccessToken.objects.filter(**of_it).delete()
        ConnectionChoice.objects.filter(account=account, client=token.application, person=token.user).delete()
    return str(token.application)


def _visible_tokens(account: Account, person: Person) -> QuerySet[OAuthRefreshToken]:
    tokens: QuerySet[OAuthRefreshToken] = OAuthRefreshToken.objects.filter(account=account)
    owns = Membership.objects.filter(account=account, person=person, role=Membership.OWNER).exists()
    return tokens if owns else tokens.filter(user=person)
