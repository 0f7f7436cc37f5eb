"""The item layout of business cards."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.card.api import lead_tools, tools
from workspace.products.card.api.serializers import list_card_summaries
from workspace.products.card.models import Card

# value, title and description
THEME_CHOICES = (
    ("classic", owner_gettext_lazy("Classic"), owner_gettext_lazy("Your color at the top, photo in the center")),
    ("bold", owner_gettext_lazy("Bold"), owner_gettext_lazy("The whole header in your color")),
    ("minimal", owner_gettext_lazy("Minimal"), owner_gettext_lazy("Your color on buttons and links only")),
    ("midnight", owner_gettext_lazy("Midnight"), owner_gettext_lazy("Always dark")),
)
LABELS = {
    "full_name": owner_gettext_lazy("Name"),
    "given_name": owner_gettext_lazy("First name"),
    "family_name": owner_gettext_lazy("Last name"),
    "name_prefix": owner_gettext_lazy("Prefix"),
    "name_suffix": owner_gettext_lazy("Suffix"),
    "title": owner_gettext_lazy("Job title"),
    "company": owner_gettext_lazy("Company"),
    "bio": owner_gettext_lazy("About"),
    "phone": owner_gettext_lazy("Phone"),
    "more_phones": owner_gettext_lazy("More phone numbers"),
    "more_phones.number": owner_gettext_lazy("Another phone"),
    "more_phones.label": owner_gettext_lazy("Phone label"),
    "email": owner_gettext_lazy("Email"),
    "more_emails": owner_gettext_lazy("More email addresses"),
    "more_emails.email": owner_gettext_lazy("Another email"),
    "more_emails.label": owner_gettext_lazy("Email label"),
    "website": owner_gettext_lazy("Website"),
    "address": owner_gettext_lazy("Address"),
    "links": owner_gettext_lazy("Links"),
    "links.url": owner_gettext_lazy("Link"),
    "links.label": owner_gettext_lazy("Link label"),
    "lead_capture": owner_gettext_lazy("Let guests leave their details"),
    "consent_text": owner_gettext_lazy("Consent text"),
    "theme": owner_gettext_lazy("Theme"),
    "color": owner_gettext_lazy("Color"),
    "photo": owner_gettext_lazy("Photo"),
    "photo_id": owner_gettext_lazy("Photo"),
    "logo": owner_gettext_lazy("Logo"),
    "logo_id": owner_gettext_lazy("Logo"),
}

LAYOUT = ItemLayout(
    Card,
    noun="card",
    id="card_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", owner_gettext_lazy("Edit")),
        Tab("look", owner_gettext_lazy("Design")),
        Tab("leads", owner_gettext_lazy("Leads"), submissions="lead"),
    ),
    stats=lead_tools.stats,
    counts={
        "views": owner_gettext_lazy("Views"),
        "contact_saves": owner_gettext_lazy("Contact saves"),
        "leads": owner_gettext_lazy("Leads"),
    },
    labels=LABELS,
    copy=Duplication(tools.save, "full_name", is_list=True),
    deletion_text=owner_gettext_lazy("Its leads are deleted too."),
    website=True,
    example="jane-doe",
    empty_state=(
        owner_gettext_lazy("No cards yet"),
        owner_gettext_lazy("Guests save your contact details with one tap. Share the link or print the QR code."),
        owner_gettext_lazy("Create card"),
    ),
    load_rows=list_card_summaries,
    new_label=owner_gettext_lazy("New card"),
)
