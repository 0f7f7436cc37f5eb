"""Tables of publications, addresses, visits, guest links, reports and search."""

from workspace.publishing.models.abuse_report import Report
from workspace.publishing.models.address import Address
from workspace.publishing.models.embeddable import Embeddable
from workspace.publishing.models.guest_link import GuestLink
from workspace.publishing.models.publication import Publication, State
from workspace.publishing.models.published_item import ItemGoneError, PublishedItem, picture_restorers
from workspace.publishing.models.remembered_columns import RememberedColumns
from workspace.publishing.models.search_document import SearchDocument
from workspace.publishing.models.soft_delete import NOT_DELETED, SoftDeleted
from workspace.publishing.models.visit import UniqueVisitor, Visit
from workspace.publishing.models.visit_counters import Breakdown, DailyBreakdown, DailyCounter, VisitCounter

__all__ = [
    "NOT_DELETED",
    "Address",
    "Breakdown",
    "DailyBreakdown",
    "DailyCounter",
    "Embeddable",
    "GuestLink",
    "ItemGoneError",
    "Publication",
    "PublishedItem",
    "RememberedColumns",
    "Report",
    "SearchDocument",
    "SoftDeleted",
    "State",
    "UniqueVisitor",
    "Visit",
    "VisitCounter",
    "picture_restorers",
]
