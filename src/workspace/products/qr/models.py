"""A dynamic QR code: printed once, pointed wherever its owner likes."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from workspace.accounts.models import Account, Upload
from workspace.publishing.models import Publication
from workspace.symbols.style import Style
from workspace.toolkit import clock
from workspace.toolkit.errors import ToolError
from workspace.toolkit.ids import new_id
from workspace.toolkit.text import fold

KIND = "qr"
SCAN = "scan"


def new_code_id() -> str:
    return new_id("qr")


class Code(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=new_code_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="codes")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="code")
    name = models.CharField(max_length=120)  # for the owner only
    target_url = models.CharField(max_length=2048)
    folder = models.CharField(max_length=60, blank=True)
    search = models.TextField()  # folded name and target, since SQLite's LIKE folds ASCII only
    style: models.JSONField[dict[str, object], dict[str, object]] = models.JSONField(default=dict, blank=True)
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-id",)  # ids sort by time of making
        indexes = [models.Index(fields=["account", "folder"], name="qr_codes_by_folder")]

    def __str__(self) -> str:
        return self.name

    @property
    def slug(self) -> str:
        return self.publication.slug

    @property
    def short_url(self) -> str:
        """The address as a person reads it."""
        return f"{settings.BASE_URL}/q/{self.slug}"

    @property
    def printed_url(self) -> str:
        """The address as the symbol holds it: in upper case it fits alphanumeric mode, which takes fewer modules."""
        return self.short_url.upper()

    @property
    def looks(self) -> Style:
        return Style.model_validate(self.style)

    def describe(self, *, name: str | None = None, folder: str | None = None) -> None:
        if name is not None:
            self.name = name
        if folder is not None:
            self.folder = folder
        self._keep("name", "folder")

    def retarget(self, url: str) -> None:
        """Point the code elsewhere; printed copies follow at the next scan."""
        if url == self.target_url:
            return
        Retarget.objects.create(code=self, from_url=self.target_url, to_url=url)
        self._point(url)

    def undo_retarget(self) -> None:
        """Point the code where it pointed before its newest change. Raises ToolError when there is none to undo."""
        last = self.retargets.filter(undone_at=None).order_by("-id").first()
        if last is None:
            raise ToolError("There is no change of the target left to undo")
        last.undone_at = clock.now()
        last.save(update_fields=["undone_at"])
        self._point(last.from_url)

    def _point(self, url: str) -> None:
        self.target_url = url
        self._keep("target_url")
        self.publication.bump()

    def _keep(self, *fields: str) -> None:
        self.search = searchable(self.name, self.target_url)
        self.updated_at = clock.now()
        self.save(update_fields=[*fields, "search", "updated_at"])

    def dress(self, style: Style) -> None:
        self.style = style.model_dump(exclude_defaults=True)
        self._keep("style")
        self.publication.bump()

    def wear(self, logo: Upload | None) -> None:
        """Take a logo (an upload that was claimed), or none; the earlier one is released."""
        if self.logo is not None:
            self.logo.release()
        self.logo = logo
        self._keep("logo")
        self.publication.bump()

    def remove(self) -> None:
        """Delete the code. Its addresses answer 410 for ever and are given to nobody else."""
        if self.logo is not None:
            self.logo.release()
        # first, so that a guest's act either precedes the deletion or is told that this is gone
        self.publication.retire()
        self.delete()


class Retarget(models.Model):
    """One change of where a code points."""

    code = models.ForeignKey(Code, on_delete=models.CASCADE, related_name="retargets")
    from_url = models.CharField(max_length=2048)
    to_url = models.CharField(max_length=2048)
    at = models.DateTimeField(default=clock.now)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.from_url} → {self.to_url}"


def searchable(name: str, target_url: str) -> str:
    return fold(f"{name}\n{target_url}")
