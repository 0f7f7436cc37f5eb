"""The totals computed by a client's page equal the server's in every digit and each language."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Browser

from workspace.products.bid.public.context import build_script_input
from workspace.products.bid.rules.offer import Offer, OfferLine, Package, Selection, Share
from workspace.products.bid.rules.totals import compute_totals
from workspace.publishing.language import format_amount

SCRIPTS = Path(__file__).parents[2] / "src/workspace/products/bid/static/bid"


def _offer_line(id: str, quantity: str, price: str, **more: Any) -> OfferLine:
    return OfferLine(id, "Work", Decimal(quantity), Decimal(price), **more)


def _percent(value: str) -> Share:
    return Share("percent", Decimal(value))


def _amount(value: str) -> Share:
    return Share("amount", Decimal(value))


THREE = tuple(_offer_line(id, "0.333", "0.05") for id in "abc")
MIXED = (_offer_line("a", "1", "100"), _offer_line("b", "1", "50", taxable=False))
ODD = (_offer_line("a", "1", "0.01"), _offer_line("b", "1", "0.01", taxable=False), _offer_line("c", "1", "0.01"))
PACKS = (
    Package("p", "One", Decimal(480)),
    Package(
        "q", "Two", lines=(_offer_line("x", "3", "99.995"), _offer_line("y", "1", "5", taxable=False)), taxable=True
    ),
    Package("r", "Three", Decimal("0.5"), taxable=False),
)
OPTION = (_offer_line("o", "2.5", "19.99", optional=True), *MIXED)
CASES = [
    (Offer(lines=(_offer_line("a", "1", "8500"),), discount=_amount("7500"), tax_rate=Decimal(19)), Selection()),
    (Offer(lines=(_offer_line("a", "1", "138.66"),), tax_rate=Decimal(19)), Selection()),
    (Offer(lines=(_offer_line("a", "1", "8180"),), tax_rate=Decimal("9.975")), Selection()),
    (Offer(lines=THREE), Selection()),
    (Offer(lines=(_offer_line("a", "1.5", "33.33"),)), Selection()),
    (Offer(lines=(_offer_line("a", "1", "0.05"),), discount=_percent("50"), tax_rate=Decimal(100)), Selection()),
    (Offer(lines=MIXED, discount=_percent("10"), tax_rate=Decimal(10)), Selection()),
    (
        Offer(lines=(_offer_line("a", "1", "119"),), discount=_percent("10"), tax_rate=Decimal(19), tax_inclusive=True),
        Selection(),
    ),
    (Offer(lines=(_offer_line("a", "1", "0.05"),), deposit=_percent("50")), Selection()),
    (Offer(lines=ODD, discount=_amount("0.02"), tax_rate=Decimal(50)), Selection()),
    (Offer(lines=OPTION, packages=PACKS, discount=_percent("33.3333"), tax_rate=Decimal("7.7")), Selection("q")),
    (Offer(lines=OPTION, packages=PACKS, deposit=_amount("99999")), Selection("r", frozenset("o"))),
    (Offer("JPY", lines=OPTION, packages=PACKS, tax_rate=Decimal(10)), Selection("p", frozenset("o"))),
    (Offer("KWD", lines=OPTION, discount=_amount("0.0005"), tax_rate=Decimal("0.0001")), Selection()),
    (Offer(lines=(_offer_line("a", "1000000", "9999999.99"),), discount=_amount("9999999")), Selection()),
]


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_page_computes_and_formats_totals_as_the_server_does(chromium: Browser, language: str) -> None:
    page = chromium.new_page()
    page.add_script_tag(path=SCRIPTS / "totals.js")
    wanted, told = [], []
    with translation.override(language):
        for offer, selection in CASES:
            found = compute_totals(offer, selection)
            figures = [found.subtotal, found.discount, found.tax, found.total, found.deposit, found.balance]
            texts = [format_amount(figure, offer.currency, language) for figure in (*figures, -found.discount)]
            wanted.append([list(map(str, figures)), texts if found.discount else texts[:-1]])
            told.append(
                [
                    build_script_input(offer, language),
                    selection.package,
                    sorted(selection.options),
                    bool(found.discount),
                ]
            )
    script = (SCRIPTS / "bid.js").read_text()
    writing = script[script.index("  function money(minor)") : script.index("  globalThis.proposalMoney")]
    shown = page.evaluate(
        """([cases, writing]) => cases.map(([offer, taken, options, less]) => {
            const found = proposalTotals(offer, { package: taken, options: new Set(options) });
            const figures = ["subtotal", "discount", "tax", "total", "deposit", "balance"].map((name) => found[name]);
            const { before, after, minus, behind, point, group } = offer.money;
            const write = new Function(
                "offer", "before", "after", "minus", "behind", "point", "group", writing + "; return money;"
            )(offer, before, after, minus, behind, point, group);
            return [figures.map(String), [...figures, ...(less ? [-found.discount] : [])].map(write)];
        })""",
        [told, writing],
    )
    page.close()
    assert shown == wanted
