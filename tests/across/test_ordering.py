"""Parts are reordered by a few queries, however many there are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.lib.errors import InvalidInputError
from workspace.products.menu.models import Item, Menu
from workspace.publishing import positions
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def menu(api: Api) -> Menu:
    api.run("svc_menu_create", restaurant_name="Corner Café")
    menu = Menu.objects.get(account=api.account)
    section = menu.sections.first() or menu.sections.create(name="All", position=0)
    Item.objects.bulk_create([Item(section=section, name=f"Dish {n}", position=n) for n in range(400)])
    return menu


def test_four_hundred_dishes_are_ordered_by_a_limited_number_of_queries(menu: Menu, api: Api) -> None:
    section = menu.sections.get()
    ids = [item.pk for item in section.items.order_by("-position")]
    with CaptureQueriesContext(connection) as queries:
        api.run("svc_menu_save_items", menu_id=menu.pk, order=ids)
    assert [item.pk for item in section.items.order_by("position")] == ids
    assert len(queries) < 30, [query["sql"][:200] for query in queries]


def test_an_order_must_contain_each_part_once(menu: Menu) -> None:
    items = menu.sections.get().items.all()
    ids = [item.pk for item in items]
    for wrong in (ids[1:], [*ids, ids[0]], [*ids[1:], "item_unknown"]):
        with pytest.raises(InvalidInputError) as refused:
            positions.reorder_parts(items, wrong, path="item_ids", noun="items")
        assert refused.value.issues[0].path == "item_ids"
    assert positions.next_position(items) == 400
    assert positions.next_position(items.none()) == 0
