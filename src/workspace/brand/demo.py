"""The brand of the demo account, a café."""

from __future__ import annotations

from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.brand.models import Brand


def fill_account(account: Account) -> None:
    Brand.for_account(account).edit(
        logo_id=demo.create_image(account, "sign"),
        image_id=demo.create_image(account, "cover"),
        colors=["#a03c22", "#e07b1f"],
        fonts="warm",
        corner_style="round",
        slogan="Slow breakfasts, good bread and our own roast",
        address="Lindengasse 7\n1070 Vienna",
        phone="+43 1 234 56 78",
        hours=[{"days": [], "from": "07:30", "until": "22:00"}],
        country="AT",
        currency="EUR",
        trade="cafe",
    )
