"""The text of the form tools' answers, for people and agents who see only text. It contains all of the data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workspace.lib.text import escape_markdown, format_count
from workspace.lib.web_address import to_unicode_host
from workspace.products.form.api.serializers import FormDetail, FormSummary
from workspace.products.form.domain.response_data import ResponseData
from workspace.publishing.serializers import public_facts


def format_form(row: FormSummary) -> str:
    state = f"closed ({row['closed']})" if row["closed"] else "accepting responses"
    parts = [
        f"**{escape_markdown(row['title'])}**",
        row["public_url"],
        state if row["accepting"] else "closed",
        format_count(row["responses"], "response"),
        f"{row['unread']} unread" if row["unread"] else "",
        f"{row['spam']} in spam" if row["spam"] else "",
        f"{row['partial']} not submitted" if row["partial"] else "",
        f"last {row['last_response_at']}" if row["last_response_at"] else "",
        f"`{row['id']}`",
    ]
    return " · ".join(part for part in parts if part)


def form_facts(form: FormDetail) -> dict[str, Any]:
    return {
        **public_facts(form),
        "accepts responses": "yes" if form["accepting"] else "no",
        "closed because": form["closed"],
        "closes at": form["closes_at"],
        "responses": form["responses"],
        "unread": form["unread"],
        "in spam": form["spam"],
        "not submitted": form["partial"],
        "last response": form["last_response_at"],
        "closes after": form["max_responses"],
        "one response per email address": "yes" if form["one_per_email"] else "",
        "one question per screen": "yes" if form["one_at_a_time"] else "",
        "thank-you message": escape_markdown(form["thank_you"]["text"]),
        "redirects to": form["thank_you"]["redirect_url"],
        "also notified": ", ".join(form["notify"]),
        "emails a copy to respondents": "yes" if form["receipt"] else "",
        "language": form["language"],
        "color": form["color"],
        "webhook": form["webhook_url"],
        "unreachable pages and fields": ", ".join(f"`{key}`" for key in form["never"]),
        "websites that can embed it": ", ".join(map(to_unicode_host, form["hosts"])),
        "websites that tried to embed it": ", ".join(refused_website["host"] for refused_website in form["refused"]),
        "embed script": f"`{form['script']}`",
        "embed iframe": f"`{form['iframe']}`",
        "version": form["version"],
        "versions": "; ".join(
            f"{version['number']} ({version['made_at']}, {format_count(version['fields'], 'field')})"
            for version in form["versions"]
        ),
    }


def format_pages(pages: list[dict[str, Any]]) -> list[str]:
    lines = []
    for page in pages:
        title = f": {escape_markdown(page['title'])}" if page["title"] else ""
        lines += ["", f"Page `{page['key']}`{title}"]
        lines += [f"- {format_field(field)}" for field in page["fields"]]
        for leap in page.get("next", []):
            when = f" if {_format_value(leap['if'])}" if "if" in leap else ""
            lines.append(f"- jump to `{leap['go_to']}`{when}")
    return lines


def format_field(field: Mapping[str, Any]) -> str:
    rest = {name: value for name, value in field.items() if name not in ("key", "label", "type", "options")}
    lines = [f"{name} {_format_value(value)}" for name, value in rest.items()]
    if options := field.get("options"):
        lines.append("options " + ", ".join(_format_option(option) for option in options))
    label = escape_markdown(field["label"])
    return f"`{field['key']}` {label} ({'; '.join([field['type'], *lines])})"


def _format_option(option: Mapping[str, Any]) -> str:
    label, value = escape_markdown(option["label"]), option["value"]
    more = [] if value == option["label"] else [f"value {escape_markdown(value)}"]
    more += [f"score {option['score']}"] if "score" in option else []
    return f"{label} ({', '.join(more)})" if more else label


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return escape_markdown(text)


def format_response(row: ResponseData) -> str:
    head = [f"`{row['id']}`", row["reference"], row["submitted_at"] or "", row["status"], row["suspicion"]]
    head += [row["email"], f"version {row['version']}", "added by you" if row["by_owner"] else ""]
    text = "; ".join(f"{escape_markdown(answer['label'])} (`{answer['key']}`): {escape_markdown(answer['text'])}"
                     for answer in row["labelled"])  # fmt: skip
    answers = _format_value(row["answers"])
    files = "; ".join(f"{escape_markdown(file['name'])} `{file['id']}` {file['size']} bytes {file['url']}"
                      for file in row["files"])  # fmt: skip
    parts = [" · ".join(part for part in head if part), text, answers, files]
    return " · ".join(part for part in [*parts, f"form `{row['form_id']}`"] if part)
