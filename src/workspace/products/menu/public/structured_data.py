"""Structured data for search engines: a schema.org menu (https://schema.org/Menu) or a catalog of offers.

It contains only what guests see.
"""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from workspace.lib.money import format_decimal
from workspace.products.menu.models import Item
from workspace.products.menu.public.displayed_menu import DishView, MenuView, SectionView
from workspace.publishing.diets import DIETS
from workspace.storage.files.images import image_url

_SCRIPT_ESCAPES = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def render_json_ld(menu_view: MenuView) -> SafeString:
    """Return the JSON for a script element of the type application/ld+json. No text in it can close the element."""
    return mark_safe(json.dumps(menu_data(menu_view), ensure_ascii=False).translate(_SCRIPT_ESCAPES))


def menu_data(menu_view: MenuView) -> dict[str, Any]:
    menu, url = menu_view.menu, menu_view.menu.public_url
    if not menu_view.is_food:
        return _without_blanks(_price_list_data(menu_view))
    return _without_blanks(
        {
            "@context": "https://schema.org",
            "@type": "Restaurant",
            "name": menu.restaurant_name,
            "address": " ".join(menu.address.split()),
            "logo": f"{settings.BASE_URL}{image_url(menu.logo_id, 384)}" if menu.logo_id else "",
            "currenciesAccepted": menu.currency,
            "hasMenu": {
                "@type": "Menu",
                "name": menu.restaurant_name,
                "description": menu_view.intro,
                "url": url,
                "hasMenuSection": [_section_data(course, menu.currency, url) for course in menu_view.sections],
            },
        }
    )


def _price_list_data(menu_view: MenuView) -> dict[str, Any]:
    """Return the data of a price list without food (https://schema.org/hasOfferCatalog)."""
    menu = menu_view.menu
    return {
        "@context": "https://schema.org",
        "@type": "LocalBusiness",
        "name": menu.restaurant_name,
        "description": menu_view.intro,
        "address": " ".join(menu.address.split()),
        "logo": f"{settings.BASE_URL}{image_url(menu.logo_id, 384)}" if menu.logo_id else "",
        "currenciesAccepted": menu.currency,
        "hasOfferCatalog": {
            "@type": "OfferCatalog",
            "name": menu.restaurant_name,
            "url": menu.public_url,
            "itemListElement": [
                {
                    "@type": "OfferCatalog",
                    "name": course.name,
                    "description": course.description,
                    "itemListElement": [
                        offer for dish in course.dishes for offer in _service_offers(dish, menu.currency)
                    ],
                }
                for course in menu_view.sections
            ],
        },
    }


def _service_offers(dish: DishView, currency: str) -> list[dict[str, Any]]:
    service = {"@type": "Service", "name": dish.name, "description": dish.description}
    offers = [] if dish.item.price_note else _offers(dish, currency)
    return [{**offer, "itemOffered": service} for offer in offers or [{"@type": "Offer"}]]


def _section_data(section: SectionView, currency: str, url: str) -> dict[str, Any]:
    return {
        "@type": "MenuSection",
        "name": section.name,
        "description": section.description,
        "url": f"{url}#{section.section.pk}",
        "hasMenuItem": [_item_data(dish, currency) for dish in section.dishes],
    }


def _item_data(dish: DishView, currency: str) -> dict[str, Any]:
    item = dish.item
    diets = [DIETS[key].schema for key in dish.suitable if DIETS[key].schema]
    return {
        "@type": "MenuItem",
        "name": dish.name,
        "description": dish.description,
        "image": f"{settings.BASE_URL}{dish.photo_large}" if dish.photo_large else "",
        "suitableForDiet": [f"https://schema.org/{name}" for name in diets],
        "offers": [] if item.price_note else _offers(dish, currency),
        "menuAddOn": [
            {"@type": "MenuItem", "name": name, "offers": _offer(choice["minor"], currency)}
            for choice, (name, _) in zip(item.add_ons, dish.add_ons, strict=True)
        ],
    }


def _offers(dish: DishView, currency: str) -> list[dict[str, Any]]:
    item = dish.item
    own = [] if item.price_minor is None else [_item_offer(item, item.price_minor, currency)]
    variants = zip(item.variants, dish.variants, strict=True)
    offers = own + [{**_offer(choice["minor"], currency), "name": name} for choice, (name, _) in variants]
    state = "SoldOut" if dish.sold_out else "InStock"
    return [{**offer, "availability": f"https://schema.org/{state}"} for offer in offers]


def _item_offer(item: Item, minor: int, currency: str) -> dict[str, Any]:
    if not item.price_from:
        return _offer(minor, currency)
    return {"@type": "AggregateOffer", "lowPrice": format_decimal(minor, currency), "priceCurrency": currency}


def _offer(minor: int, currency: str) -> dict[str, Any]:
    return {"@type": "Offer", "price": format_decimal(minor, currency), "priceCurrency": currency}


def _without_blanks(node: dict[str, Any]) -> dict[str, Any]:
    return {key: _remove_blanks(value) for key, value in node.items() if value not in ("", [], None)}


def _remove_blanks(value: Any) -> Any:
    if isinstance(value, dict):
        return _without_blanks(value)
    if isinstance(value, list):
        return [_remove_blanks(part) for part in value]
    return value
