"""Tables of waivers, versions, signatures and attendance."""

from workspace.products.waiver.models.invitation import SigningInvitation
from workspace.products.waiver.models.signature import Attendance, NameWord, Signature, Signing
from workspace.products.waiver.models.waiver import KIND, Waiver, WaiverVersion

__all__ = ["KIND", "Attendance", "NameWord", "Signature", "Signing", "SigningInvitation", "Waiver", "WaiverVersion"]
