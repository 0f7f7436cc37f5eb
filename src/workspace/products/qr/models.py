"""A QR code: a dynamic one is printed once and pointed wherever its owner likes; a static one holds what it says in its
symbol, has no address, and is neither changed nor counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from django.db import models

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.ids import new_id
from workspace.lib.text import fold
from workspace.products.qr.rules import static_content
from workspace.products.qr.rules.static_text import CALLS
from workspace.publishing.arguments import PUBLISHING
from workspace.publishing.call_to_action import CALL
from workspace.publishing.models import OUT_OF_THE_BIN, Publication, Published
from workspace.qr_symbols.style import Style
from workspace.storage import encryption

KIND = "qr"
SCAN = "scan"
PURPOSE = "qr.wifi"  # of the password that is sealed
FIXED = "A static code holds this in its symbol and has no address: make a new code, or a dynamic one"


OF_AN_ADDRESS = ("target_url", "fallback_url", *PUBLISHING)


def new_code_id() -> str:
    return new_id("qr")


class Code(Published):
    kind = KIND
    pictures = ("logo",)
    LEADS_ON = True
    ITS_OWN = frozenset(["search"])
    JOURNAL_TOLD = {**Published.JOURNAL_TOLD, "logo": ("logo_id", None)}
    JOURNAL_SECRET = ("secret",)

    id = models.CharField(primary_key=True, max_length=40, default=new_code_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="codes")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="code")
    name = models.CharField(max_length=120)  # for the owner only
    target_url = models.CharField(max_length=2048, blank=True)
    fallback_url = models.CharField(max_length=2048, blank=True)  # while it is paused or has expired
    # of a static one, which has no target: a `StaticContent` without its password, which is sealed
    content: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    secret = models.CharField(max_length=500, blank=True)
    folder = models.CharField(max_length=60, blank=True)
    search = models.TextField()  # folded name and target, since SQLite's LIKE folds ASCII only
    style: models.JSONField[dict[str, object], dict[str, object]] = models.JSONField(default=dict, blank=True)
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")

    class Meta(Published.Meta):
        indexes = [
            *Published.Meta.indexes,
            models.Index(fields=["account", "folder", "-id"], name="qr_codes_of_a_folder", condition=OUT_OF_THE_BIN),
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
    def call(self) -> str:
        """To action, on paper; to be translated."""
        return CALLS[self.content["kind"]] if self.is_static else CALL

    @property
    def static(self) -> dict[str, Any]:
        """What a static one holds, with its password. Raises CannotUnseal."""
        if not self.secret:
            return dict(self.content)
        return {**self.content, static_content.SECRET: encryption.unseal(self.secret, self.account_id, PURPOSE)}

    @property
    def symbol_text(self) -> str:
        return static_content.text_of(self.static) if self.is_static else super().symbol_text

    @property
    def looks(self) -> Style:
        return Style.model_validate(self.style)

    def __init__(self, *values: Any, **fields: Any) -> None:
        super().__init__(*values, **fields)
        if self.__dict__.get("search") == "":  # a new one
            self.search = self._folded()

    @classmethod
    def has_address(cls, fields: Mapping[str, Any]) -> bool:
        return not fields.get("content")

    @classmethod
    def sealed(cls, account: Account, static: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a static code that holds this."""
        content = dict(static)
        password = content.pop(static_content.SECRET, "")
        secret = encryption.seal(password, account.pk, PURPOSE) if password else ""
        return {"content": content, "secret": secret, "target_url": ""}

    def edit(self, **given: Any) -> None:
        """Of a static one what stands beside its symbol: name, folder and look."""
        if self.is_static and (wrong := [name for name in given if name in OF_AN_ADDRESS]):
            raise InvalidInput.of([(name, FIXED) for name in wrong])
        super().edit(**given)

    @classmethod
    def room(cls, account: Account, wanted: int) -> int:
        """How many of the wanted codes the plan has room for, at least one. Raises ToolError where there is none."""
        most = account.limits(KIND).codes
        fit = wanted if most is None else min(wanted, most - account.codes.count() + len(cls.starters(account)))
        if fit <= 0:
            way_out = account.or_larger(KIND, "delete one")
            raise ToolError(f"Your plan holds {most} QR codes and all are in use: {way_out}")
        return fit

    @classmethod
    def check_room(cls, account: Account, wanted: int = 1) -> None:
        if cls.room(account, wanted) < wanted:
            raise ToolError(
                f"Your plan has no room for {wanted} more QR codes: {account.or_larger(KIND, 'delete some')}"
            )

    @classmethod
    def change_many(cls, wanted: Iterable[tuple[Self, Mapping[str, Any]]], *, paths: Sequence[str] = ()) -> list[Self]:
        """Printed copies follow a new target at their next scan; where a code led is kept as a `Retarget`."""
        wanted = list(wanted)
        _note((code, fields["target_url"]) for code, fields in wanted if "target_url" in fields)
        return super().change_many(wanted, paths=paths)

    @classmethod
    def touched_many(cls, things: Sequence[Self]) -> None:
        stale = [code for code in things if code.search != code._folded()]
        for code in stale:
            code.search = code._folded()
        cls._base_manager.bulk_update(stale, ["search"], batch_size=200)
        super().touched_many(things)

    @classmethod
    def restore_many_target_url(cls, pairs: Sequence[tuple[Self, str]]) -> None:
        cls.change_many((code, {"target_url": url}) for code, url in pairs)

    def restore_logo(self, upload_id: str | None) -> None:
        self.wear("logo", upload_id or "")

    def _folded(self) -> str:
        return fold(f"{self.name}\n{static_content.words_of(self.content) if self.content else self.target_url}")


class Retarget(models.Model):
    """One change of where a code points. Taking it back is another one: guests are told since when it leads there."""

    code = models.ForeignKey(Code, on_delete=models.CASCADE, related_name="retargets")
    from_url = models.CharField(max_length=2048)
    to_url = models.CharField(max_length=2048)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"{self.from_url} → {self.to_url}"


def _note(led: Iterable[tuple[Code, str]]) -> None:
    """Before codes are pointed to these addresses."""
    moved = ((code, url) for code, url in led if url != code.target_url)
    Retarget.objects.bulk_create([Retarget(code=code, from_url=code.target_url, to_url=url) for code, url in moved])


encryption.sealed_in(Code, secret=PURPOSE)  # those in the bin as well
