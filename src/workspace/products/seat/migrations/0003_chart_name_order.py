from django.db import migrations, models


def set_from_account(apps, schema_editor):
    """Give charts of accounts with another custom its order, and guess their guests' sort names again."""
    from workspace.products.seat.domain.guests import build_sort_name
    from workspace.lib.name_order import (DEFAULT_ORDER, order_for)
    from workspace.lib.text import search_key

    Chart, Guest = apps.get_model("seat", "Chart"), apps.get_model("seat", "Guest")
    Brand = apps.get_model("brand", "Brand")
    orders = {brand.pk: order_for(brand.country, brand.languages) for brand in Brand.objects.all()}
    orders = {pk: order for pk, order in orders.items() if order != DEFAULT_ORDER}
    for chart in Chart.objects.filter(account__in=orders):
        order = orders[chart.account_id]
        Chart.objects.filter(pk=chart.pk).update(name_order=order)
        changed = [one for one in Guest.objects.filter(chart=chart) if one.sort_name == build_sort_name(one.name)]
        for guest in changed:
            guest.sort_name = build_sort_name(guest.name, order)
            guest.sort_key = search_key(guest.sort_name or guest.name)[:240]
            guest.search = f" {' '.join(map(search_key, (guest.name, guest.sort_name, guest.party)))}"[:400]
        Guest.objects.bulk_update(changed, ["sort_name", "sort_key", "search"], batch_size=200)


class Migration(migrations.Migration):

    dependencies = [
        ('brand', '0001_initial'),
        ('seat', '0002_step_change'),
    ]

    operations = [
        migrations.AddField(
            model_name='chart',
            name='name_order',
            field=models.CharField(default='western', max_length=12),
        ),
        migrations.RunPython(set_from_account, migrations.RunPython.noop),
    ]
