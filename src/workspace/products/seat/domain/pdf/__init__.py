"""Seating charts as PDF."""
