"""Extraction and checks of all texts that people read: see docs/voice.md."""
