"""The folders of responses."""

INBOX, SPAM, PARTIAL = "inbox", "spam", "partial"
