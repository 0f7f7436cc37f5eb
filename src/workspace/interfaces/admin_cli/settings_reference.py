"""The page of all settings, `docs/settings.md`."""

from __future__ import annotations

from workspace.environment import COMMAND, SETTINGS


def _replace_command_name(text: str) -> str:
    return text.replace("`workspace ", f"`{COMMAND} ")


def render_settings_reference() -> str:
    """Render the complete `docs/settings.md`."""
    rows = [
        f"| `{s.name}` | {f'`{s.default}`' if s.default else 'none'} | {_replace_command_name(s.meaning)} |"
        for s in SETTINGS
    ]
    head = [
        "# Settings",
        "",
        f"All settings are environment variables. `{COMMAND} settings` generates this page from",
        "`src/workspace/environment.py`.",
        "",
        "| setting | default | meaning |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *rows, ""])
