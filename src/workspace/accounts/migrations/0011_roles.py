from django.db import migrations, models

ROLES = [("owner", "Owner"), ("editor", "Editor"), ("viewer", "Viewer"), ("some", "By product")]
# whose a tool is whose second word says it in another way
WORDS = {
    "links": "link",
    "reviews": "review",
    "booking": "book",
    "bid": "quote",
    "forms": "form",
    "waivers": "waiver",
    "certs": "cert",
    "event": "program",
    "webhook": "webhooks",
    "calendar": "calendars",
}
PRODUCTS = ("qr", "card", "link", "review", "menu", "book", "quote", "form", "waiver", "cert", "seat", "program")


def name_them(apps, editor):
    """Who was a member changed everything but the account: an editor. Whose a change was is told by its tool."""
    apps.get_model("accounts", "Membership").objects.filter(role="editor").update(role="editor")
    changes = apps.get_model("accounts", "Change").objects
    for tool in list(changes.order_by().values_list("tool", flat=True).distinct()):
        word = tool.split("_")[1] if tool.startswith("svc_") else ""
        whose = WORDS.get(word, word)
        if whose not in (*PRODUCTS, "payments", "webhooks", "calendars"):
            whose = "owners" if tool in ("svc_account_edit", "erase_person") else "account"
        changes.filter(tool=tool).update(whose=whose)
    # what took something back was of the product of that
    for product in PRODUCTS:
        changes.filter(tool="svc_undo", thing_kind=product).update(whose=product)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0010_invites")]

    operations = [
        migrations.RemoveConstraint(model_name="membership", name="one_owner_an_account"),
        migrations.AlterField(
            model_name="membership",
            name="role",
            field=models.CharField(choices=ROLES, default="owner", max_length=10),
        ),
        migrations.AddField(
            model_name="membership", name="products", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.AddField(
            model_name="memberinvitation",
            name="role",
            field=models.CharField(choices=ROLES, default="editor", max_length=10),
        ),
        migrations.AddField(
            model_name="memberinvitation", name="products", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.AddField(
            model_name="change", name="whose", field=models.CharField(blank=True, max_length=12)
        ),
        migrations.RunPython(name_them, migrations.RunPython.noop),
    ]
