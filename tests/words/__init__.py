"""Extraction and checks of all text that people read: see docs/voice.md."""
