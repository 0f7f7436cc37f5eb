from __future__ import annotations

from workspace.delivery.calendars.tests.conftest import server  # noqa: F401
from workspace.delivery.tests.conftest import peer  # noqa: F401
