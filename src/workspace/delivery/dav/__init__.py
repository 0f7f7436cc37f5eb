"""A client for CalDAV and CardDAV."""
