"""OAuth clients, codes and tokens; each code and token is for one account.

django-oauth-toolkit implements the protocol. Its models are replaced from the first migration, so that a consent
applies to one account, and only the SHA-256 of codes and tokens is stored.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from oauth2_provider.models import (
    AbstractAccessToken,
    AbstractApplication,
    AbstractGrant,
    AbstractRefreshToken,
)

from workspace.accounts.models.account import Account, Membership
from workspace.accounts.models.person import Person
from workspace.accounts.models.redirect_uri import allowed_schemes, check_client_uris
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

if TYPE_CHECKING:  # only the type stubs are generic
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField

READ = "read"
WRITE = "write"
ACCESS_PREFIX = "svc_oat_"
REFRESH_PREFIX = "svc_ort_"
UNUSED_CLIENT_RETENTION = timedelta(days=30)
TOKEN_RETENTION = timedelta(days=91)  # longer than a refresh token can be renewed
CODE_RETENTION = timedelta(days=1)  # although they live for a minute, to distinguish a replay from an unknown code
# A spent refresh token is accepted again for this long, because its answer may have been lost, or two requests may have
# been parallel.
REUSE_GRACE = timedelta(seconds=10)
# Public clients keep copies of a token in parallel processes, and each process renews its copy.
PUBLIC_REUSE_GRACE = timedelta(minutes=60)
MAX_PARALLEL_TOKENS = 8
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_LENGTH = 43  # 256 bits in base 62


def _new_token(prefix: str) -> str:
    return prefix + "".join(secrets.choice(_BASE62) for _ in range(_RANDOM_LENGTH))


def new_access_token(request: Any = None) -> str:
    """Return a random access token. The protocol library passes `request`, which is not used."""
    return _new_token(ACCESS_PREFIX)


def new_refresh_token(request: Any = None) -> str:
    return _new_token(REFRESH_PREFIX)


class HashedCode(_Text):
    """A text field that stores and looks up only the SHA-256 of its value."""

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        return None if prepared is None else hashlib.sha256(prepared.encode("utf-8", "surrogatepass")).hexdigest()


class OAuthClient(AbstractApplication):
    """A client that registered itself. It belongs to no account; each consent defines what it can access."""

    user = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+", null=True, blank=True)

    class Meta(AbstractApplication.Meta):
        indexes = [models.Index(fields=["created"], name="oauth_client_created")]

    def __str__(self) -> str:
        return str(self.name or self.client_id)

    @property
    def is_published(self) -> bool:
        """True if the client is described by a metadata document at the URL of its client_id."""
        return bool(self.registration_source == self.RegistrationSource.CIMD)

    def get_allowed_schemes(self) -> list[str]:
        return allowed_schemes(self.redirect_uris)

    def clean(self) -> None:
        super().clean()
        check_client_uris(self.name, self.redirect_uris)

    @classmethod
    def delete_unused(cls) -> int:
        """Delete self-registered clients that are 30 days old and have no codes or tokens.

        Return how many were deleted.
        """
        unused = (
            cls.objects.filter(created__lt=clock.now() - UNUSED_CLIENT_RETENTION)
            .exclude(registration_source=cls.RegistrationSource.MANUAL)
            .filter(
                ~Exists(OAuthGrant.objects.filter(application=OuterRef("pk"))),
                ~Exists(OAuthAccessToken.objects.filter(application=OuterRef("pk"))),
                ~Exists(OAuthRefreshToken.objects.filter(application=OuterRef("pk"))),
            )
        )
        return int(unused.delete()[0])


class OAuthGrant(AbstractGrant):
    """An authorization code, valid for a minute.

    `family` is the family of the tokens issued for it; None until it is redeemed.
    """

    code = HashedCode(max_length=255, unique=True)
    family = models.UUIDField(null=True)
    user = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")

    def is_usable(self) -> bool:
        """Return whether the account is not banned and the person is still an active member."""
        return _filter_usable(OAuthGrant.objects.filter(pk=self.pk)).exists()

    def redeem(self) -> uuid.UUID | None:
        """Redeem the code and return the family of its tokens, or None if it was already redeemed."""
        family = uuid.uuid4()
        return family if OAuthGrant.objects.filter(pk=self.pk, family=None).update(family=family) else None


class OAuthAccessToken(AbstractAccessToken):
    id_token = None  # OpenID Connect is not supported
    user = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")

    class Meta(AbstractAccessToken.Meta):
        indexes = [models.Index(fields=["expires"], name="oauth_access_expires")]

    @property
    def bucket(self) -> str:
        """The quota's bucket, shared by all tokens of the account and the client."""
        return bucket_for_client(self.account_id, self.application_id)

    @property
    def can_write(self) -> bool:
        return WRITE in self.scope.split()

    @property
    def connection_id(self) -> str:
        """The id of the connection in URLs."""
        return f"{self.application_id}-{self.user_id}"

    @classmethod
    def find_by_token(cls, token: str, *, resource: str) -> OAuthAccessToken | None:
        """Return the valid token with this text, or None. Run one query.

        The account, client and person are loaded with the token, as are the chosen products (`chosen`, None for all)
        and the person's `role` and product roles (`held`). It is not valid if it is unknown, expired, revoked or for
        another resource. It is also invalid if the account is banned or the person is no longer a member.
        """
        if not token.startswith(ACCESS_PREFIX) or len(token) != len(ACCESS_PREFIX) + _RANDOM_LENGTH:
            return None
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
        found = (
            _filter_usable(cls.objects.filter(token_checksum=digest, expires__gt=clock.now()))
            .select_related("account", "application", "user")
            .annotate(
                chosen=Subquery(_choice_query().values("products")),
                role=Subquery(_member_query().values("role")),
                held=Subquery(_member_query().values("products")),
            )
            .first()
        )
        # A token without a resource would be valid everywhere, so it is rejected.
        return found if found is not None and found.resource == [resource] else None


class OAuthRefreshToken(AbstractRefreshToken):
    """A refresh token.

    `spent_by` is a hash identifying the sender that used it; empty until then. `refused` is set if it was used again
    too late.
    """

    user = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    spent_by = models.CharField(max_length=64, default="", blank=True)
    refused = models.BooleanField(default=False)

    class Meta(AbstractRefreshToken.Meta):
        pass

    @property
    def grace(self) -> timedelta:
        """The time for which a spent token can be used again."""
        is_public = self.application.client_type == OAuthClient.CLIENT_PUBLIC
        return PUBLIC_REUSE_GRACE if is_public else REUSE_GRACE

    @classmethod
    def delete_old(cls) -> int:
        """Delete codes and tokens that cannot be used or renewed and are too old to detect a replay.

        Return how many were deleted.
        """
        now = clock.now()
        long_ago = now - TOKEN_RETENTION
        dead = models.Q(revoked__lt=long_ago) | models.Q(revoked=None, access_token__expires__lt=long_ago)
        gone = OAuthGrant.objects.filter(expires__lt=now - CODE_RETENTION).delete()[0]
        gone += cls.objects.filter(dead).delete()[0]
        gone += OAuthAccessToken.objects.filter(expires__lt=now, refresh_token=None).delete()[0]
        return int(gone)

    def is_usable(self) -> bool:
        return _filter_usable(OAuthRefreshToken.objects.filter(pk=self.pk)).exists()

    def find_sibling(self) -> OAuthRefreshToken | None:
        """Return the newest valid token of the same family if a spent token is reused within the grace period.

        Return None if the grace period is over, the family is revoked, or the token was reused too often.
        """
        if self.revoked is None or self.revoked <= clock.now() - self.grace:
            return None
        live = OAuthRefreshToken.objects.filter(token_family=self.token_family, revoked=None)
        found = list(
            live.exclude(access_token=None).select_related("access_token").order_by("-pk")[:MAX_PARALLEL_TOKENS]
        )
        since = [token for token in found if token.created >= self.revoked]
        return found[0] if found and len(since) < MAX_PARALLEL_TOKENS else None

    @classmethod
    def revoke_family(cls, token_family: uuid.UUID | None) -> None:
        """Revoke all tokens of one consent.

        Lock the rows first, so that a token that is being renewed is revoked, too.
        """
        with write_transaction():
            list(cls.objects.select_for_update().filter(token_family=token_family).order_by("pk").values_list("pk"))
            super().revoke_family(token_family)


class ConnectionChoice(models.Model):
    """The products whose tools a connection (client, person and account) can use.

    None, or no row, means all. The row is retained when tokens expire, so it applies again when the client reconnects.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    client = models.ForeignKey(OAuthClient, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    products: models.JSONField[list[str] | None, list[str] | None] = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "client", "person"], name="one_choice_a_connection"),
        ]

    def __str__(self) -> str:
        return f"{self.client} in {self.account}"


def _choice_query() -> QuerySet[ConnectionChoice]:
    """Return a query for the choice that belongs to the token of the outer query."""
    return ConnectionChoice.objects.filter(
        account=OuterRef("account"), client=OuterRef("application"), person=OuterRef("user")
    )


def bucket_for_client(account_id: str, client_pk: int) -> str:
    return f"oauth:{account_id}:{client_pk}"


def _member_query() -> QuerySet[Membership]:
    return Membership.objects.filter(account=OuterRef("account"), person=OuterRef("user"))


def _filter_usable(tokens: QuerySet[Any]) -> QuerySet[Any]:
    """Filter tokens whose account is not banned and whose person is active and still a member."""
    return tokens.filter(Exists(_member_query()), account__banned_at=None, user__is_active=True)
