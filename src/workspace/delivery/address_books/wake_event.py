"""The event that wakes the worker for contacts."""

from __future__ import annotations

import threading

# set after each commit that creates work; the worker waits for it
event = threading.Event()
