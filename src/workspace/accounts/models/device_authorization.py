"""Requests by programs for an API key, which a person approves in the browser with a code (RFC 8628).

The key is created when the program fetches it, so no secret is stored before that.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from enum import StrEnum

from django.db import IntegrityError, models, transaction

from workspace.accounts import messages
from workspace.accounts.models.account import Account
from workspace.accounts.models.api_key import ApiKey, hash_secret
from workspace.accounts.models.person import Person
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage.database.transactions import write_transaction

LIFETIME = timedelta(minutes=10)
INTERVAL_SECONDS = 2  # minimum interval between two polls of a program
# A little less than the interval, because network delays vary.
MIN_INTERVAL = timedelta(seconds=INTERVAL_SECONDS * 0.75)
MAX_OPEN_REQUESTS = 2000
# Only consonants, so that no word appears by chance, and no letter resembles a digit (RFC 8628, section 6.1).
ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 8


class AuthorizationStatus(StrEnum):
    """The reason why a program has no key yet, as the error codes of RFC 8628."""

    PENDING = "authorization_pending"
    SLOW_DOWN = "slow_down"
    EXPIRED = "expired_token"
    DENIED = "access_denied"


class DeviceAuthorization(models.Model):
    device_hash = models.CharField(max_length=64, unique=True)
    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    name = models.CharField(max_length=80)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(db_index=True)
    polled_at = models.DateTimeField(null=True, blank=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    decided_by = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="+")
    denied = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.user_code})"

    @property
    def user_code(self) -> str:
        """The code as displayed, such as `ABCD-EFGH`."""
        return f"{self.code[:4]}-{self.code[4:]}"

    @classmethod
    def start(cls, name: str) -> tuple[DeviceAuthorization, str]:
        """Create a request and return it with its device code, which only the program gets.

        Raise OperationNotAllowedError if too many requests are open.
        """
        device_code = secrets.token_urlsafe(32)
        with write_transaction():
            cls.objects.filter(expires_at__lte=clock.now()).delete()
            if cls.objects.count() >= MAX_OPEN_REQUESTS:
                raise OperationNotAllowedError(messages.TOO_MANY_DEVICES)
            while True:
                try:
                    with transaction.atomic():
                        made = cls.objects.create(
                            device_hash=hash_secret(device_code),
                            code="".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)),
                            name=name,
                            expires_at=clock.now() + LIFETIME,
                        )
                    return made, device_code
                except IntegrityError:
                    continue  # the code is in use: choose another

    @classmethod
    def find_open(cls, typed: str) -> DeviceAuthorization | None:
        """Return the undecided request with this code, or None. Ignore case and the hyphen."""
        code = "".join(letter for letter in typed.upper() if letter.isalnum())
        if len(code) != CODE_LENGTH:
            return None
        return cls.objects.filter(code=code, decided_by=None, expires_at__gt=clock.now()).first()

    def approve(self, account: Account, by: Person) -> bool:
        """Allow the program to get a key of the account. Return False if the request is already decided."""
        return self._decide(account=account, decided_by=by)

    def deny(self, by: Person) -> bool:
        return self._decide(denied=True, decided_by=by)

    def _decide(self, **outcome: object) -> bool:
        undecided = DeviceAuthorization.objects.filter(pk=self.pk, decided_by=None, expires_at__gt=clock.now())
        with write_transaction():
            return undecided.update(**outcome) == 1

    @classmethod
    def redeem(cls, device_code: str) -> tuple[ApiKey, str] | AuthorizationStatus:
        """Return the key and its secret, only once, or a status that explains why there is no key.

        Raise OperationNotAllowedError if the account has the maximum number of keys.
        """
        with write_transaction():
            pairing = cls.objects.select_for_update().filter(device_hash=hash_secret(device_code)).first()
            moment = clock.now()
            if pairing is None or pairing.expires_at <= moment:
                return AuthorizationStatus.EXPIRED
            if pairing.denied:
                pairing.delete()
                return AuthorizationStatus.DENIED
            if pairing.account is None:
                early = pairing.polled_at is not None and moment - pairing.polled_at < MIN_INTERVAL
                pairing.polled_at = moment
                pairing.save(update_fields=["polled_at"])
                return AuthorizationStatus.SLOW_DOWN if early else AuthorizationStatus.PENDING
            pairing.delete()
            return ApiKey.create(pairing.account, name=pairing.name, by=pairing.decided_by)
