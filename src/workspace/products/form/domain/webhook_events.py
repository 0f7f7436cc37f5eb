"""The webhook event of a response."""

from __future__ import annotations

import logging
from typing import Any

from workspace.delivery import webhooks
from workspace.delivery.webhooks import Event
from workspace.products.form.domain.response_data import list_response_data
from workspace.products.form.models import KIND, FormVersion, Response
from workspace.products.form.rules.definition_fields import types_by_key

logger = logging.getLogger(__name__)
RESPONSE_EVENT = Event("form.response", "Form responses", "Someone filled out a form", product=KIND)


def emit_response_event(response: Response) -> None:
    """Emit the event, with keys for machines and labels for people.

    Call it in the transaction that saves the response.
    """
    form = response.form
    [row] = list_response_data([response])
    types = types_by_key(FormVersion.objects.get(form=form, number=response.version).body)
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
