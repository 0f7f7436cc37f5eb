"""Tables of proposals, their revisions, signatures and messages."""

from workspace.products.bid.models.decision import Decision, Outcome
from workspace.products.bid.models.history import BidEvent, Event
from workspace.products.bid.models.library import LibraryItem, Template
from workspace.products.bid.models.message import Message
from workspace.products.bid.models.number_sequence import Numbering
from workspace.products.bid.models.proposal import CLOSED, KIND, OPEN, Proposal, Status
from workspace.products.bid.models.revision import Revision

__all__ = [
    "CLOSED",
    "KIND",
    "OPEN",
    "BidEvent",
    "Decision",
    "Event",
    "LibraryItem",
    "Message",
    "Numbering",
    "Outcome",
    "Proposal",
    "Revision",
    "Status",
    "Template",
]
