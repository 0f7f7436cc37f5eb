"""Instructions for connecting an AI assistant over MCP, a program over REST, or the command line."""

from __future__ import annotations

import json

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, require_sign_in


@require_sign_in
def connection_instructions(request: SignedInRequest) -> HttpResponse:
    address = f"{settings.BASE_URL}/mcp"
    page = {
        "mcp_url": address,
        "api_url": f"{settings.BASE_URL}/api/v1",
        "cursor_file": json.dumps({"mcpServers": {"workspace": {"url": address}}}, indent=2),
    }
    return render(request, "account_pages/connect.html", page)
