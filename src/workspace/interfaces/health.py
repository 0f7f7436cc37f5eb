"""`/healthz`: whether this process can serve, for load balancers and for starting scripts."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

from workspace.delivery import trouble


def healthz(request: HttpRequest) -> HttpResponse:
    lines = ["ok"]
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if mail := trouble.found():  # is told, and no reason to take this process out of service
            lines.append(f"mail: {mail.in_a_line}")
    except DatabaseError:
        return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain")
