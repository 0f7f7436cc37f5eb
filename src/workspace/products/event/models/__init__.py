"""Tables of programs, sessions, rooms and star lists."""

from workspace.products.event.models.event import KIND, Day, Event, Room, Track, name_key
from workspace.products.event.models.session import Session, SessionSpeaker
from workspace.products.event.models.speakers_and_blocks import Block, Link, Speaker
from workspace.products.event.models.star_list import SESSION_VIEW, STAR, StarList

__all__ = [
    "KIND",
    "SESSION_VIEW",
    "STAR",
    "Block",
    "Day",
    "Event",
    "Link",
    "Room",
    "Session",
    "SessionSpeaker",
    "Speaker",
    "StarList",
    "Track",
    "name_key",
]
