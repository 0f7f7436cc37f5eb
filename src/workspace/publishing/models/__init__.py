"""Tables of addresses, visits, guest links and submissions."""

from workspace.publishing.models.address import Address
from workspace.publishing.models.counters import DaySlot, Facet, FacetSlot, Tally
from workspace.publishing.models.embeddable import Framable
from workspace.publishing.models.guest_link import GuestLink
from workspace.publishing.models.publication import Publication, State
from workspace.publishing.models.published_item import Gone, Published
from workspace.publishing.models.report import Report
from workspace.publishing.models.search_document import Words
from workspace.publishing.models.soft_delete import OUT_OF_THE_BIN, Binned
from workspace.publishing.models.visit import Attempt, Salt, Seen, Visit

__all__ = [
    "OUT_OF_THE_BIN",
    "Address",
    "Attempt",
    "Binned",
    "DaySlot",
    "Facet",
    "FacetSlot",
    "Framable",
    "Gone",
    "GuestLink",
    "Publication",
    "Published",
    "Report",
    "Salt",
    "Seen",
    "State",
    "Tally",
    "Visit",
    "Words",
]
