"""The audit trail: tamper-evident records of what was signed, in one hash chain per account."""
