"""Tables of proposals, their revisions, signatures and messages."""

from workspace.products.bid.models.decision import Decision, DecisionOutcome
from workspace.products.bid.models.history import BidEvent, EventKind
from workspace.products.bid.models.library import LibraryItem, Template
from workspace.products.bid.models.message import Message
from workspace.products.bid.models.number_sequence import NumberSequence
from workspace.products.bid.models.proposal import CLOSED_STATUSES, KIND, OPEN_STATUSES, Proposal, Status
from workspace.products.bid.models.revision import Revision

__all__ = [
    "CLOSED_STATUSES",
    "KIND",
    "OPEN_STATUSES",
    "BidEvent",
    "Decision",
    "DecisionOutcome",
    "EventKind",
    "LibraryItem",
    "Message",
    "NumberSequence",
    "Proposal",
    "Revision",
    "Status",
    "Template",
]
