from workspace.publishing.models.address import Address
from workspace.publishing.models.binned import Binned
from workspace.publishing.models.guest_link import GuestLink
from workspace.publishing.models.publication import Publication, State
from workspace.publishing.models.published import Gone, Published
from workspace.publishing.models.report import Report
from workspace.publishing.models.visit import Attempt, Salt, Seen, Slot, Tally, Visit
from workspace.publishing.models.words import Words

__all__ = [
    "Address",
    "Attempt",
    "Binned",
    "Gone",
    "GuestLink",
    "Publication",
    "Published",
    "Report",
    "Salt",
    "Seen",
    "Slot",
    "State",
    "Tally",
    "Visit",
    "Words",
]
