"""An item that can be embedded in its owner's website."""

from __future__ import annotations

from django.db import models

from workspace.publishing.models.published_item import PublishedItem


class Embeddable(PublishedItem):
    """A published item that can be embedded in the websites in `hosts`, as validated by `arguments.Hosts`."""

    hosts: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)

    class Meta(PublishedItem.Meta):
        abstract = True

    @property
    def frame_ancestors(self) -> str:
        """The sources of the CSP directive `frame-ancestors`: our own pages and the owner's hosts.

        A host without a scheme requires the scheme of this service, so that an insecure page cannot embed a secure
        service.
        """
        return " ".join(["'self'", *self.hosts])
