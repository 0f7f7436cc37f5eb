"""Certificates: designs, issuance and verification."""
