"""What wakes the lane of contacts."""

from __future__ import annotations

import threading

# set after each commit of something to do; the lane waits on it
event = threading.Event()
