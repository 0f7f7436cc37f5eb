"""Tables of waivers, versions, signatures and attendance."""

from workspace.products.waiver.models.invitation import Asked
from workspace.products.waiver.models.signature import NameWord, Signature, Signing, Visit
from workspace.products.waiver.models.waiver import KIND, Waiver, WaiverVersion

__all__ = ["KIND", "Asked", "NameWord", "Signature", "Signing", "Visit", "Waiver", "WaiverVersion"]
