"""Prices were hundredths in every currency; now they are units of the currency's own: fils, cents, yen."""

from django.db import migrations

FACTORS = {  # the prices of these change; all others have hundredths
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(), (1, 100)),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), (10, 1)),
}


def forwards(apps, schema_editor):
    _convert(apps, "cents", "minor", FACTORS)


def backwards(apps, schema_editor):
    _convert(apps, "minor", "cents", {code: (below, above) for code, (above, below) in FACTORS.items()})


def _convert(apps, before, after, factors):
    Item = apps.get_model("menu", "Item")
    # the keys first: what is read while it is written may come twice
    keys = list(Item.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), 500):
        items = list(Item.objects.filter(pk__in=keys[start : start + 500]).select_related("section__menu"))
        for item in items:
            above, below = factors.get(item.section.menu.currency, (1, 1))
            if item.price_minor is not None:
                item.price_minor = item.price_minor * above // below
            for name in ("variants", "add_ons"):
                choices = [{"name": one["name"], after: one[before] * above // below} for one in getattr(item, name)]
                setattr(item, name, choices)
        Item.objects.bulk_update(items, ["price_minor", "variants", "add_ons"])


class Migration(migrations.Migration):

    dependencies = [
        ('menu', '0001_initial'),
    ]

    operations = [
        migrations.RenameField(model_name='item', old_name='price_cents', new_name='price_minor'),
        migrations.RunPython(forwards, backwards),
    ]
