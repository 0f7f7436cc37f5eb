"""Tables of waivers, versions, signatures and attendance."""

from workspace.products.waiver.models.invitation import SigningInvitation
from workspace.products.waiver.models.signature import NameWord, Signature, Signing, Attendance
from workspace.products.waiver.models.waiver import KIND, Waiver, WaiverVersion

__all__ = ["KIND", "SigningInvitation", "NameWord", "Signature", "Signing", "Attendance", "Waiver", "WaiverVersion"]
