"""The webhook event of a response."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from workspace.delivery import webhooks
from workspace.delivery.webhooks import Event
from workspace.products.form.domain.response_data import ResponseData
from workspace.products.form.models import KIND, Response
from workspace.products.form.rules.definition_fields import types_by_key

logger = logging.getLogger(__name__)
RESPONSE_EVENT = Event("form.response", "Form responses", "Someone filled out a form", product=KIND)


def emit_response_event(response: Response, row: ResponseData, definition: Mapping[str, Any]) -> None:
    """Emit the event, with both keys and human-readable labels. `definition` is that of the response's version.

    Call it in the transaction that saves the response.
    """
    form = response.form
    types = types_by_key(definition)
    fields = [
        {
            "key": answer["key"],
            "label": answer["label"],
            "type": types[answer["key"]],
            "value": row["answers"][answer["key"]],
            "text": answer["text"],
        }
        for answer in row["labelled"]
    ]  # fmt: skip
    data: dict[str, Any] = {
        "form_id": form.pk,
        "form_title": form.title,
        "version": response.version,
        "response_id": response.pk,
        "submitted_at": row["submitted_at"],
        "answers": row["answers"],
        "fields": fields,
        "files": row["files"],
    }
    try:
        webhooks.emit_event(form.account, RESPONSE_EVENT.name, data, item_id=form.pk)
    except ValueError:
        logger.warning("The response %s is too large to be pushed", response.pk)
