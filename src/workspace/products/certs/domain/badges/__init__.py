"""Open Badges 3.0: beside every paper a credential that other programs read and verify without asking anybody here."""
