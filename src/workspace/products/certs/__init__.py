"""Certificates: designs, issuing and verification."""
