"""Tables of addresses, visits, guest links and submissions."""

from workspace.publishing.models.address import Address
from workspace.publishing.models.counters import DailyCounter, Breakdown, DailyBreakdown, VisitCounter
from workspace.publishing.models.embeddable import Embeddable
from workspace.publishing.models.guest_link import GuestLink
from workspace.publishing.models.publication import Publication, State
from workspace.publishing.models.published_item import ItemGoneError, PublishedItem
from workspace.publishing.models.report import Report
from workspace.publishing.models.search_document import SearchDocument
from workspace.publishing.models.soft_delete import NOT_DELETED, SoftDeleted
from workspace.publishing.models.visit import RateCounter, VisitorSalt, UniqueVisitor, Visit

__all__ = [
    "NOT_DELETED",
    "Address",
    "RateCounter",
    "DailyCounter",
    "Embeddable",
    "Breakdown",
    "DailyBreakdown",
    "GuestLink",
    "ItemGoneError",
    "Publication",
    "PublishedItem",
    "Report",
    "VisitorSalt",
    "UniqueVisitor",
    "SoftDeleted",
    "State",
    "VisitCounter",
    "Visit",
    "SearchDocument",
]
