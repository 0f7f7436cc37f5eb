"""An account's contacts in the owner's address book, over CardDAV.

The worker compares the current contacts with those already written. Products do not report new or deleted contacts,
so no change can be missed.

`register_source(ContactSource(…))` is called in the `ready` method of the app that lists an account's contacts."""

from workspace.delivery.address_books.contact_source import ContactOffer, ContactSource, Person, register_source

__all__ = ["ContactOffer", "ContactSource", "Person", "register_source"]
