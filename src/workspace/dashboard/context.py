"""What every page of the dashboard's shell knows."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def shell(request: HttpRequest) -> dict[str, Any]:
    return {"base_url": settings.BASE_URL, "operator_name": settings.OPERATOR_NAME, "loopback": settings.LOOPBACK}
