"""API keys, shown once and stored as a hash.

With the checksum, invalid keys are rejected without a query, and secret scanners recognize leaked keys.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from dataclasses import dataclass
from datetime import datetime

from django.db import DEFAULT_DB_ALIAS, models

from workspace.accounts import messages
from workspace.accounts.models.account import Account, Membership
from workspace.accounts.models.person import Person
from workspace.accounts.permissions import FULL_SCOPE, PermissionScope
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.owner_translation import owner_gettext
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.database.transactions import write_transaction

PREFIX = "svc_live_"
RANDOM_LENGTH = 32
CHECKSUM_LENGTH = 6
MAX_KEYS = 20  # each key has its own quota, so the number of keys is part of the limit
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _compute_checksum(random: str) -> str:
    number = zlib.crc32(random.encode())
    letters = []
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, 62)
        letters.append(_BASE62[digit])
    return "".join(reversed(letters))


def is_well_formed(text: str) -> bool:
    """Return whether the key's prefix, length and checksum are valid."""
    if not text.startswith(PREFIX) or len(text) != len(PREFIX) + RANDOM_LENGTH + CHECKSUM_LENGTH or not text.isascii():
        return False
    random = text[len(PREFIX) : -CHECKSUM_LENGTH]
    return secrets.compare_digest(_compute_checksum(random), text[-CHECKSUM_LENGTH:])


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a secret. It suffices, because the secret is not a password but 190 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def bucket_for_key(id: str) -> str:
    """Return the key of the quota that counts an API key's calls."""
    return f"key:{id}"


def _key_id() -> str:
    return new_id("key")


class ApiKey(models.Model):
    """A credential of an account.

    `products` are the products whose tools it can use; None for all, including future ones.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_key_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="keys")
    created_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=80)
    hint = models.CharField(max_length=24)  # the first characters, to tell keys apart
    hash = models.CharField(max_length=64, unique=True)
    read_only = models.BooleanField(default=False)
    products: models.JSONField[list[str] | None, list[str] | None] = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def bucket(self) -> str:
        return bucket_for_key(self.pk)

    @classmethod
    def create(
        cls,
        account: Account,
        *,
        name: str,
        by: Person | None = None,
        read_only: bool = False,
        expires_at: datetime | None = None,
    ) -> tuple[ApiKey, str]:
        """Create a key and return it with its secret, which cannot be shown again.

        Raise OperationNotAllowedError if the account has the maximum number of keys.
        """
        with write_transaction():
            account = account.lock()
            if account.keys.filter(revoked_at=None).count() >= MAX_KEYS:
                raise OperationNotAllowedError(messages.KEY_LIMIT(most=MAX_KEYS))
            random = "".join(secrets.choice(_BASE62) for _ in range(RANDOM_LENGTH))
            secret = PREFIX + random + _compute_checksum(random)
            key = cls.objects.create(
                account=account,
                created_by=by,
                name=name.strip()[:80] or owner_gettext("Key"),
                hint=secret[: len(PREFIX) + 4],
                hash=hash_secret(secret),
                read_only=read_only,
                expires_at=expires_at,
            )
        return key, secret

    @classmethod
    def find_live(cls, secret: str) -> LiveKey | None:
        """Return the valid key with this secret and its account, or None. Run one query.

        A key is invalid if its creator is no longer a member. A key without a creator, made by the administrator, has
        full permissions.
        """
        if not is_well_formed(secret):
            return None
        found = _LIVE_KEY.fetch_rows(hash=hash_secret(secret))
        if not found:
            return None
        id, name, read_only, chosen, expires_at, made_by, role, held = found[0][: len(_KEY_COLUMNS)]
        account = Account.from_db(DEFAULT_DB_ALIAS, _ACCOUNT_COLUMNS, found[0][len(_KEY_COLUMNS) :])
        if account.banned_at or (expires_at and expires_at <= clock.now()) or (made_by and not role):
            return None
        reach = PermissionScope.for_role(role, held) if made_by else FULL_SCOPE
        return LiveKey(account, id, name, read_only, chosen, reach)

    def set_products(self, products: list[str] | None) -> None:
        with write_transaction():
            self.products = products
            self.save(update_fields=["products"])

    def revoke(self) -> None:
        if self.revoked_at is None:
            self.revoked_at = clock.now()
            self.save(update_fields=["revoked_at"])


@dataclass(frozen=True, slots=True)
class LiveKey:
    """The data of a key that a call needs. It is not a model, because building one takes longer than the query."""

    account: Account
    id: str
    name: str
    read_only: bool
    products: list[str] | None
    permission_scope: PermissionScope

    @property
    def bucket(self) -> str:
        return bucket_for_key(self.id)


_KEY_COLUMNS = ("id", "name", "read_only", "products", "expires_at", "created_by_id", "makers_role", "makers_products")
_ACCOUNT_COLUMNS = [field.attname for field in Account._meta.concrete_fields]


def _creator_query() -> models.QuerySet[Membership]:
    return Membership.objects.filter(account=models.OuterRef("account"), person=models.OuterRef("created_by"))


_LIVE_KEY = CompiledQuery(
    lambda: (
        ApiKey.objects.filter(hash=parameter("hash"), revoked_at=None)
        .order_by()
        .annotate(
            makers_role=models.Subquery(_creator_query().values("role")),
            makers_products=models.Subquery(_creator_query().values("products")),
        )
        .values_list(*_KEY_COLUMNS, *(f"account__{name}" for name in _ACCOUNT_COLUMNS))
    )
)
