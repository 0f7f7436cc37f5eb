"""The offer of a proposal: lines, packages, discount, tax and deposit.

Some lines may be optional. If there are packages, the client selects one. Columns and revisions store the offer in the
format of `dump_line` and the other `dump_…` functions. Numbers with fractions are stored as text, so that the canonical
JSON of a revision has the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

PERCENT, AMOUNT = "percent", "amount"


@dataclass(frozen=True, slots=True)
class OfferLine:
    """A line. `unit_price` is None if the line belongs to a package that has a price."""

    id: str
    name: str
    quantity: Decimal = Decimal(1)
    unit_price: Decimal | None = None
    description: str = ""
    unit: str = ""
    optional: bool = False
    selected: bool = False
    taxable: bool = True
    section: str = ""


@dataclass(frozen=True, slots=True)
class Package:
    """A package with a `price`, or with `lines` that add up to its price."""

    id: str
    name: str
    price: Decimal | None = None
    description: str = ""
    features: tuple[str, ...] = ()
    recommended: bool = False
    taxable: bool = True
    lines: tuple[OfferLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """A discount or a deposit. `kind` is percent or amount."""

    kind: str
    value: Decimal
    label: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The client's selection: a package, if there are any, and the ids of some optional lines."""

    package: str | None = None
    options: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer. `tax_rate` is in percent. `tax_inclusive` means that prices include the tax."""

    currency: str = "USD"
    lines: tuple[OfferLine, ...] = ()
    packages: tuple[Package, ...] = ()
    discount: Share | None = None
    deposit: Share | None = None
    tax_rate: Decimal = Decimal(0)
    tax_inclusive: bool = False
    _options: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_options", frozenset(line.id for line in self.lines if line.optional))

    @property
    def options(self) -> frozenset[str]:
        return self._options

    def find_package(self, id: str | None) -> Package | None:
        return next((package for package in self.packages if package.id == id), None)


def format_number(number: Decimal) -> str:
    """Format a number as plain digits without trailing zeros, such as `12.5`. Only this format is stored."""
    plain = format(number, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def dump_line(line: OfferLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "name": line.name,
        "description": line.description,
        "quantity": format_number(line.quantity),
        "unit_price": None if line.unit_price is None else format_number(line.unit_price),
        "unit": line.unit,
        "optional": line.optional,
        "selected": line.selected,
        "taxable": line.taxable,
        "section": line.section,
    }


def dump_package(package: Package) -> dict[str, Any]:
    return {
        "id": package.id,
        "name": package.name,
        "description": package.description,
        "price": None if package.price is None else format_number(package.price),
        "features": list(package.features),
        "recommended": package.recommended,
        "taxable": package.taxable,
        "line_items": [dump_line(line) for line in package.lines],
    }


def dump_share(share: Share | None) -> dict[str, str]:
    """Return a share in its stored format, or an empty dict for None."""
    return {} if share is None else {"type": share.kind, "value": format_number(share.value), "label": share.label}


def load_line(data: Mapping[str, Any]) -> OfferLine:
    price = data["unit_price"]
    return OfferLine(
        **{
            **{name: data[name] for name in ("id", "name", "description", "unit", "section")},
            **{name: data[name] for name in ("optional", "selected", "taxable")},
        },
        quantity=Decimal(data["quantity"]),
        unit_price=None if price is None else Decimal(price),
    )


def load_package(data: Mapping[str, Any]) -> Package:
    return Package(
        id=data["id"],
        name=data["name"],
        price=None if data["price"] is None else Decimal(data["price"]),
        description=data["description"],
        features=tuple(data["features"]),
        recommended=data["recommended"],
        taxable=data["taxable"],
        lines=tuple(load_line(line) for line in data["line_items"]),
    )


def load_share(data: Mapping[str, Any]) -> Share | None:
    return Share(data["type"], Decimal(data["value"]), data.get("label", "")) if data else None


def load_offer(data: Mapping[str, Any]) -> Offer:
    """Load an offer from the content of a revision, or from a mapping of a proposal's column names to values."""
    return Offer(
        currency=data["currency"],
        lines=tuple(load_line(line) for line in data["line_items"]),
        packages=tuple(load_package(package) for package in data["packages"]),
        discount=load_share(data["discount"]),
        deposit=load_share(data["deposit"]),
        tax_rate=Decimal(data["tax_rate"]),
        tax_inclusive=data["tax_inclusive"],
    )
