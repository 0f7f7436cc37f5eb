"""QR codes.

A dynamic code is printed once, and its destination can be changed. A static code contains its content in the symbol. It
has no URL, cannot be changed, and its scans are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from django.db import models
from typing_extensions import override

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.lib.text import search_key
from workspace.products.qr import messages
from workspace.products.qr.rules import static_content
from workspace.products.qr.rules.poster_text import CALLS_TO_ACTION
from workspace.publishing.guest_language import DEFAULT_CALL
from workspace.publishing.models import NOT_DELETED, Publication, PublishedItem, picture_restorers
from workspace.publishing.shared_item_arguments import PUBLISHING_ARGUMENTS
from workspace.qr_symbols.style import Style
from workspace.storage import encryption
from workspace.storage.database.compiled_write import CompiledModel

KIND = "qr"
SCAN_EVENT = "scan"
ENCRYPTION_PURPOSE = "qr.wifi"  # the purpose of the encrypted password


ADDRESS_FIELDS = ("target_url", "fallback_url", *PUBLISHING_ARGUMENTS)


def new_code_id() -> str:
    return new_id("qr")


class Code(PublishedItem):
    kind = KIND
    pictures = ("logo",)
    LINKS_TO_STARTERS = True
    COPY_EXCLUDED = frozenset(["search"])
    journal_displayed_fields = {**PublishedItem.journal_displayed_fields, "logo": ("logo_id", None)}
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}
    journal_secret_fields = ("secret",)

    id = models.CharField(primary_key=True, max_length=40, default=new_code_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="codes")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="code")
    name = models.CharField(max_length=120)  # shown only to the owner
    target_url = models.CharField(max_length=2048, blank=True)
    fallback_url = models.CharField(max_length=2048, blank=True)  # the destination while it is paused or expired
    # a static code has no target but a `StaticContent` without its password, which is encrypted in `secret`
    content: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    secret = models.CharField(max_length=500, blank=True)
    folder = models.CharField(max_length=60, blank=True)
    search = models.TextField()  # folded name and target, because SQLite's LIKE ignores case only in ASCII
    style: models.JSONField[dict[str, object], dict[str, object]] = models.JSONField(default=dict, blank=True)
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")

    class Meta(PublishedItem.Meta):
        indexes = [
            *PublishedItem.Meta.indexes,
            models.Index(fields=["account", "folder", "-id"], name="qr_codes_of_a_folder", condition=NOT_DELETED),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_static(self) -> bool:
        return bool(self.content)

    @property
    def noun(self) -> str:
        return "static QR code" if self.is_static else "QR code"

    @property
    def call_to_action(self) -> str:
        """The call to action for print, untranslated."""
        return CALLS_TO_ACTION[self.content["kind"]] if self.is_static else DEFAULT_CALL

    @property
    def decrypted_content(self) -> dict[str, Any]:
        """The content of a static code with its password. Raise DecryptionError if it cannot be decrypted."""
        if not self.secret:
            return dict(self.content)
        return {
            **self.content,
            static_content.SECRET_FIELD: encryption.decrypt_secret(self.secret, self.account_id, ENCRYPTION_PURPOSE),
        }

    @property
    def symbol_text(self) -> str:
        return static_content.build_symbol_text(self.decrypted_content) if self.is_static else super().symbol_text

    @property
    def parsed_style(self) -> Style:
        return Style.model_validate(self.style)

    def __init__(self, *values: Any, **fields: Any) -> None:
        super().__init__(*values, **fields)
        if self.__dict__.get("search") == "":  # a new row
            self.search = self._build_search_text()

    @classmethod
    def has_address(cls, fields: Mapping[str, Any]) -> bool:
        return not fields.get("content")

    @classmethod
    def static_fields(cls, account: Account, static: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a static code with this content."""
        content = dict(static)
        password = content.pop(static_content.SECRET_FIELD, "")
        secret = encryption.encrypt_secret(password, account.pk, ENCRYPTION_PURPOSE) if password else ""
        return {"content": content, "secret": secret, "target_url": ""}

    def edit(self, **given: Any) -> None:
        """Edit the code. For a static code, only the name, folder and style can be changed."""
        if self.is_static and (wrong := [name for name in given if name in ADDRESS_FIELDS]):
            raise InvalidInputError.from_pairs([(name, messages.STATIC_CODE_HAS_NO_LINK) for name in wrong])
        super().edit(**given)

    @classmethod
    def remaining_quota(cls, account: Account, count: int) -> int:
        """Return how many of the requested codes the plan allows, which is at least one.

        Raise OperationNotAllowedError if it does not allow any.
        """
        most = account.limits(KIND).codes
        fit = count if most is None else min(count, most - account.codes.count() + len(cls.list_starters(account)))
        if fit <= 0:
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.CODE_LIMIT(most=most, way_out=way_out))
        return fit

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        if cls.remaining_quota(account, wanted) < wanted:
            way_out = account.with_upgrade_hint(KIND, "delete some")
            raise OperationNotAllowedError(messages.TOO_MANY_NEW_CODES(wanted=wanted, way_out=way_out))

    @classmethod
    def change_many(cls, changes: Iterable[tuple[Self, Mapping[str, Any]]], *, paths: Sequence[str] = ()) -> list[Self]:
        """Update codes. From the next scan on, printed copies open the new target.

        Each previous target is recorded as a `DestinationChange`.
        """
        changes = list(changes)
        _record_destination_changes((code, fields["target_url"]) for code, fields in changes if "target_url" in fields)
        return super().change_many(changes, paths=paths)

    @override
    @classmethod
    def mark_many_changed(cls, things: Sequence[Self]) -> None:
        stale = [code for code in things if code.search != code._build_search_text()]
        for code in stale:
            code.search = code._build_search_text()
        cls._base_manager.bulk_update(stale, ["search"], batch_size=200)
        super().mark_many_changed(things)

    @staticmethod
    def _restore_targets(pairs: Sequence[tuple[Code, str]]) -> None:
        Code.change_many((code, {"target_url": url}) for code, url in pairs)

    journal_bulk_restorers = {**PublishedItem.journal_bulk_restorers, "target_url": _restore_targets}

    def _build_search_text(self) -> str:
        return search_key(
            f"{self.name}\n{static_content.describe_content(self.content) if self.content else self.target_url}"
        )


class DestinationChange(CompiledModel):
    """A change of a code's target.

    An undo creates another one, because guests can see since when a code has had its destination.
    """

    code = models.ForeignKey(Code, on_delete=models.CASCADE, related_name="destination_changes")
    from_url = models.CharField(max_length=2048)
    to_url = models.CharField(max_length=2048)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.from_url} → {self.to_url}"


def _record_destination_changes(changed_targets: Iterable[tuple[Code, str]]) -> None:
    """Record the changes before these targets are set."""
    moved = ((code, url) for code, url in changed_targets if url != code.target_url)
    DestinationChange.objects.bulk_create(
        [DestinationChange(code=code, from_url=code.target_url, to_url=url) for code, url in moved]
    )


encryption.register_encrypted_columns(Code, secret=ENCRYPTION_PURPOSE)  # includes codes in the bin
