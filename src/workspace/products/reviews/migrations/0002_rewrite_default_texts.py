"""Replace the former default texts of review pages, which are translated only while they are the defaults."""

from __future__ import annotations

from typing import Any

import django.db.models
from django.db import migrations

FORMER_CONSENT = (
    "You may show my words, my name, my rating and my photo on your website, in this list and in your social media. "
    "I can ask you to take them down at any time."
)
CONSENT = (
    "I agree that you publish my review with my name, rating and photo on your website, on this page and on your "
    "social media. I can withdraw this consent at any time."
)
THANK_YOUS = {"Thank you! Your words mean a lot to us.": "Thank you! Your feedback means a lot to us."}
QUESTIONS = {
    "What did you come for?": "What did you visit us for?",
    "Whom would you recommend us to?": "Who would you recommend us to?",
}


def replace_defaults(apps: Any, schema_editor: Any) -> None:
    pages = apps.get_model("reviews", "ReviewPage").objects
    pages.filter(consent_text=FORMER_CONSENT).update(consent_text=CONSENT)
    for former, text in THANK_YOUS.items():
        pages.filter(thank_you=former).update(thank_you=text)
    for page in pages.only("questions").iterator():
        questions = [QUESTIONS.get(question, question) for question in page.questions]
        if questions != page.questions:
            pages.filter(pk=page.pk).update(questions=questions)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_initial")]
    operations = [
        migrations.AlterField("reviewpage", "consent_text", django.db.models.TextField(default=CONSENT)),
        migrations.RunPython(replace_defaults, migrations.RunPython.noop),
    ]
