"""What a form asked at a time, word for word: it never changes, and each response is pinned to its own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Exists, Max, OuterRef

from workspace.lib import clock
from workspace.products.form.models.form import Form

RETENTION = timedelta(days=30)  # as long as an undo may lead back to it


class FormVersion(models.Model):
    JOURNAL_SILENT = True  # the form's own number says which one stands

    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    body: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["form", "number"], name="one_form_version_a_number")]

    def __str__(self) -> str:
        return f"Version {self.number}"

    @classmethod
    def create_next(cls, form: Form, body: dict[str, Any]) -> FormVersion:
        """The next one. Versions that nobody answered and no undo reaches any more are forgotten."""
        from workspace.products.form.models.response import Response

        last = cls.objects.filter(form=form).aggregate(last=Max("number"))["last"] or 0
        answered = Response._base_manager.filter(form=form, version=OuterRef("number"))
        old = cls.objects.filter(form=form, created_at__lt=clock.now() - RETENTION).exclude(number=form.version)
        old.filter(~Exists(answered)).delete()
        return cls.objects.create(form=form, number=last + 1, body=body)
