"""An account's contacts in its owner's address book, over CardDAV. Nobody says that somebody came or was deleted: a
lane compares what there is with what was put there, so that nothing can be forgotten.

    register(Source(offered=…, ids=…, found=…))     # who an account's contacts are, in the `ready` of who knows
"""

from workspace.delivery.contacts.sources import ContactSource, Offer, Person, register_source

__all__ = ["ContactSource", "Offer", "Person", "register_source"]
