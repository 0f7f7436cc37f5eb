"""A published thing that may stand in a frame on its owner's website."""

from __future__ import annotations

from django.db import models

from workspace.publishing.models.published_item import PublishedItem


class Embeddable(PublishedItem):
    """`hosts` are the websites that may frame it, as `arguments.Hosts` reads them."""

    hosts: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)

    class Meta(PublishedItem.Meta):
        abstract = True

    @property
    def frame_ancestors(self) -> str:
        """Who may frame it, as the policy's list of sources: our own pages and the owner's hosts. A host without a
        scheme means the service's own scheme, so a secure service is not framed by an insecure page."""
        return " ".join(["'self'", *self.hosts])
