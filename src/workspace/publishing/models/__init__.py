"""Tables of publications, addresses, visits, guest links, reports and search."""

from workspace.publishing.models.address import Address
from workspace.publishing.models.counters import DaySlot, Facet, FacetSlot, Tally
from workspace.publishing.models.embeddable import Embeddable
from workspace.publishing.models.guest_link import GuestLink
from workspace.publishing.models.publication import Publication, State
from workspace.publishing.models.published_item import ItemGoneError, PublishedItem
from workspace.publishing.models.report import Report
from workspace.publishing.models.search_document import Words
from workspace.publishing.models.soft_delete import NOT_DELETED, SoftDeleted
from workspace.publishing.models.visit import Attempt, Salt, Seen, Visit

__all__ = [
    "NOT_DELETED",
    "Address",
    "Attempt",
    "DaySlot",
    "Embeddable",
    "Facet",
    "FacetSlot",
    "GuestLink",
    "ItemGoneError",
    "Publication",
    "PublishedItem",
    "Report",
    "Salt",
    "Seen",
    "SoftDeleted",
    "State",
    "Tally",
    "Visit",
    "Words",
]
