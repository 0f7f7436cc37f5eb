"""The item layout of certificate templates."""

from __future__ import annotations

from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.certs.api import tools
from workspace.products.certs.api.serializers import list_template_summaries
from workspace.products.certs.models import Template

LAYOUT = ItemLayout(
    Template,
    noun="template",
    id="template_id",
    edit=tools.save_template,
    delete=tools.delete,
    tabs=(
        Tab("", owner_gettext_lazy("Design")),
        # Translators: a tab for issuing certificates
        Tab("issue", owner_gettext_lazy("Issue")),
        # Translators: a tab with issued certificates
        Tab("issued", owner_gettext_lazy("Issued")),
        Tab("letter", owner_gettext_lazy("Email")),
    ),
    first_action=("issue", owner_gettext_lazy("Issue certificates")),
    deletion_text=owner_gettext_lazy("Issued certificates stay valid."),
    example="sailing-course",
    empty_state=(
        owner_gettext_lazy("No certificate templates yet"),
        owner_gettext_lazy("Design a template, then issue certificates to a whole course at once."),
        owner_gettext_lazy("Create template"),
    ),
    load_rows=list_template_summaries,
    new_label=owner_gettext_lazy("New template"),
)
