"""Abuse reports by guests, for review by the administrator."""

from __future__ import annotations

from django.db import models

from workspace.lib import clock


class Report(models.Model):
    publication = models.ForeignKey("publishing.Publication", on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(max_length=20)
    note = models.TextField(max_length=2000, blank=True)
    email = models.EmailField(blank=True)
    created_at = models.DateTimeField(default=clock.now)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.reason}: {self.publication_id}"
