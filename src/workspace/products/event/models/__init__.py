"""Tables of programs, sessions, rooms and star lists."""

from workspace.products.event.models.event import KIND, Day, Event, Room, Track, folded
from workspace.products.event.models.people import Block, Link, Speaker
from workspace.products.event.models.session import Session, SessionSpeaker
from workspace.products.event.models.star_list import OPENED, STAR, Starred

__all__ = [
    "KIND",
    "OPENED",
    "STAR",
    "Block",
    "Day",
    "Event",
    "Link",
    "Room",
    "Session",
    "SessionSpeaker",
    "Speaker",
    "Starred",
    "Track",
    "folded",
]
