"""Versions of a form. A version never changes, and each response belongs to the version that it answered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Exists, Max, OuterRef

from workspace.lib import clock
from workspace.products.form.models.form import Form
from workspace.products.form.models.response import Response
from workspace.storage.database.compiled_write import CompiledModel

RETENTION = timedelta(days=30)  # for as long as an undo may restore it


class FormVersion(CompiledModel):
    """A version of a form. `body` is its definition, in the format of `form_input.py`."""

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
        """Create the next version. Delete versions that have no responses and that no undo can restore."""
        last = cls.objects.filter(form=form).aggregate(last=Max("number"))["last"] or 0
        answered = Response._base_manager.filter(form=form, version=OuterRef("number"))
        old = cls.objects.filter(form=form, created_at__lt=clock.now() - RETENTION).exclude(number=form.version)
        old.filter(~Exists(answered)).delete()
        return cls.objects.create(form=form, number=last + 1, body=body)
