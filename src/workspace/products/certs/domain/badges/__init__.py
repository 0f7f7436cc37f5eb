"""Open Badges 3.0: a credential for each certificate, which other programs can verify without this service."""
