"""The text of the QR code tools' answers, for people and agents who see only text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.lib.text import escape_markdown
from workspace.products.qr.api.serializers import STATIC, CodeDetail, CodeSummary, FolderData
from workspace.publishing.serializers import (
    public_facts,
)
from workspace.qr_symbols.style import Style
from workspace.tools.answer import format_fact_list

STATIC_NOTE = "static: content can’t change after printing, scans are not counted"


def format_code(code: CodeSummary) -> str:
    folder = f" in {escape_markdown(code['folder'])}" if code["folder"] else ""
    if code["state"] == STATIC:
        holds = escape_markdown(code["holds"])
        return f"**{escape_markdown(code['name'])}**{folder}: {holds} ({STATIC_NOTE}) `{code['id']}`"
    about = [f"{code['total_scans']} {'scan' if code['total_scans'] == 1 else 'scans'}", code["state"]]
    about += ["password-protected"] if code["has_password"] else []
    about += [f"until {code['expires_at']}"] if code["expires_at"] else []
    return (
        f"**{escape_markdown(code['name'])}**{folder} → {code['target_url']} ({', '.join(about)}) "
        f"{code['public_url']}, printed as {code['printed_url']} `{code['id']}`"
    )


def format_code_detail(code: CodeDetail, title: str) -> str:
    """Format all data of a code as text."""
    pairs = {
        "kind": code["kind"],
        "content": escape_markdown(code["holds"]),
        "destination": code["target_url"],
        "fallback link": code["fallback_url"],
        "folder": escape_markdown(code["folder"]),
        "scans": STATIC_NOTE if code["state"] == STATIC else code["total_scans"],
        **public_facts(code),
        "printed link": code["printed_url"],
        "SVG": code["svg_url"],
        "PNG": code["png_url"],
        "inspect page": code["inspect_url"],
        "slugs": ", ".join(code["slugs"]),
        "logo": code["logo_id"],
        "design": _format_style(code["style"]),
        "modules per side": code.get("modules"),
        "minimum print width": f"{code['least_cm']} cm" if "least_cm" in code else "",
    }
    changes = [f"- {change['at']}: from {change['from_url']} to {change['to_url']}" for change in code["retargets"]]
    return "\n".join([format_fact_list(title, pairs), *(["Previous destinations:", *changes] if changes else [])])


_DEFAULT_STYLE = Style().model_dump()


def _format_style(style: dict[str, Any]) -> str:
    """Format the values that are not defaults. Only the caption can contain text from users."""
    own = {name: value for name, value in style.items() if value != _DEFAULT_STYLE[name]}
    said = (f"{name} {escape_markdown(value) if name == 'caption' else value}" for name, value in own.items())
    return ", ".join(said) or "black on white (default)"


def format_folders(folders: Sequence[FolderData]) -> str:
    return ", ".join(f"{escape_markdown(folder['folder'])} ({folder['codes']})" for folder in folders)
