"""Seating charts as PDFs."""
