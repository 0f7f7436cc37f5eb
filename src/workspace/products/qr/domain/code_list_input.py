"""A list of codes to make and to change, judged whole before anything is written: every wrong entry at its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInput, Issue, NotFound
from workspace.products.qr.domain.queries import MISSING, codes_of
from workspace.products.qr.domain.scan_check import problem_in, reading, verdict_on
from workspace.products.qr.domain.style import dressed, logo_of
from workspace.products.qr.models import FIXED, KIND, OF_AN_ADDRESS, Code
from workspace.products.qr.rules import static_content
from workspace.products.qr.rules.types import SavedCode
from workspace.publishing.duplication import fields_like
from workspace.publishing.models import Address
from workspace.publishing.models.publication import TAKEN
from workspace.publishing.qr_style import usual
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.symbol import encode
from workspace.tools.validation import MAX_ISSUES

MAX_LOOKS = 10  # different ones in a list: two readers take half a second for each
MAX_MOVES = 20  # codes of a list that get another address
OF_LOOK = ("preset", "logo_id", "like")


@dataclass(slots=True)
class Wanted:
    """What a list asks for. Looks are resolved: each entry's fields hold `style` and `logo_id` where it names one. New
    ones may still hold `static`, which is sealed when they are written."""

    new: dict[int, dict[str, Any]] = field(default_factory=dict)  # by place in the list
    old: dict[int, tuple[Code, dict[str, Any]]] = field(default_factory=dict)
    gone: list[Code] = field(default_factory=list)
    verdicts: dict[int, str] = field(default_factory=dict)


def read(account: Account, items: Sequence[SavedCode], remove: Sequence[str]) -> Wanted:
    """Raises InvalidInput with all that is wrong, NotFound for an id that is none of the account's. A few queries; slow
    where looks are new, so called before a transaction as well, which then finds them known."""
    there = _named(account, items, remove)
    issues = [*_twice(items, remove), *doubled(items), *taken(items, there), *_too_many(items)]
    wanted = Wanted(gone=[there[id] for id in dict.fromkeys(remove)])
    looks: dict[tuple[str, str, int], str] = {}
    for place, item in enumerate(items):
        code = there.get(item.get("id", ""))
        fields = {name: value for name, value in item.items() if name not in ("id", *OF_LOOK)}
        is_dressed = any(name in item for name in OF_LOOK)
        model = there.get(item.get("like", "")) if code is None else None
        if (code or model or Code()).is_static:
            issues += [Issue(f"items.{place}.{name}", FIXED) for name in OF_AN_ADDRESS if name in item]
        static = item.get("static")
        if static or is_dressed:
            look = _look(item, code, there)
            fields |= look if is_dressed else {}
            text = static_content.text_of(static) if static else _held(code or model)
            key = (str(look["style"]), str(look["logo_id"]), encode(text).size if text else 0)
            if key not in looks and len(looks) == MAX_LOOKS:
                issues.append(Issue(f"items.{place}", f"At most {MAX_LOOKS} different looks in one list"))
                continue
            if key not in looks:
                looks[key] = _judge(account, place, item, look, text, issues)
            wanted.verdicts[place] = looks[key]
        if code is not None:
            wanted.old[place] = code, fields
        else:
            rest = _rest(model, is_static=bool(static) or (model is not None and model.is_static))
            wanted.new[place] = {**rest, **fields}
    if issues:
        raise InvalidInput(sorted(issues, key=lambda issue: int(issue.path.split(".")[1]))[:MAX_ISSUES])
    return wanted


def doubled(items: Sequence[Mapping[str, Any]], numbers: Sequence[int] | None = None) -> list[Issue]:
    """Each entry whose slug another one has before it. `numbers`: the lines by which people know the entries."""
    issues: list[Issue] = []
    first: dict[str, int] = {}
    for index, slug in enumerate(item.get("slug") for item in items):
        if slug and (earlier := first.setdefault(slug, index)) != index:
            where = f"on lines {numbers[earlier]} and {numbers[index]}" if numbers else f"first at items.{earlier}"
            issues.append(Issue(f"items.{index}.slug", f"“{slug}” is given twice, {where}"))
    return issues


def taken(items: Sequence[Mapping[str, Any]], there: Mapping[str, Code] | None = None) -> list[Issue]:
    """Each entry whose slug another code has or had, anybody's."""
    wanted = {item["slug"]: index for index, item in enumerate(items) if item.get("slug")}
    found = Address.objects.filter(kind=KIND, slug__in=wanted).values_list("slug", "publication_id")
    own = {slug: (there or {}).get(items[index].get("id", "")) for slug, index in wanted.items()}
    return [
        Issue(f"items.{wanted[slug]}.slug", TAKEN)
        for slug, publication in found
        if (code := own[slug]) is None or code.publication_id != publication
    ]


def _named(account: Account, items: Sequence[SavedCode], remove: Sequence[str]) -> dict[str, Code]:
    """The codes that the list names, by id: three queries."""
    paths = {item["id"]: f"items.{place}.id" for place, item in enumerate(items) if "id" in item}
    paths |= {item["like"]: f"items.{place}.like" for place, item in enumerate(items) if "like" in item}
    paths |= {id: f"remove.{place}" for place, id in enumerate(remove)}
    there: dict[str, Code] = codes_of(account).select_related("account", "logo").in_bulk(list(paths)) if paths else {}
    for id, path in paths.items():
        if id not in there:
            raise NotFound(f"{path}: {MISSING}")
    return there


def _twice(items: Sequence[SavedCode], remove: Sequence[str]) -> list[Issue]:
    seen: set[str] = set()
    issues: list[Issue] = []
    for place, item in enumerate(items):
        if (id := item.get("id")) in seen or id in remove:
            issues.append(Issue(f"items.{place}.id", "This code is named twice: put all of it into one entry"))
        elif id:
            seen.add(id)
    return issues


def _too_many(items: Sequence[SavedCode]) -> list[Issue]:
    moved = [place for place, item in enumerate(items) if "id" in item and "slug" in item]
    return [
        Issue(f"items.{place}.slug", f"At most {MAX_MOVES} codes can move in one list") for place in moved[MAX_MOVES:]
    ]


def _look(item: SavedCode, code: Code | None, there: Mapping[str, Code]) -> dict[str, Any]:
    """The style and the logo that the entry asks for: what it names itself, those of `like`, or else the code's own."""
    model = there.get(item.get("like", "")) or code
    style = dressed({"preset": item["preset"]})["style"] if "preset" in item else model.style if model else {}
    return {"style": style, "logo_id": item.get("logo_id", (model.logo_id if model else None) or "")}


def _rest(model: Code | None, *, is_static: bool) -> dict[str, Any]:
    """What a new code has of the one that it is like, beside its look; a static one nothing of an address."""
    left = {"style", "logo_id", *(OF_AN_ADDRESS if is_static else ())}
    return {name: value for name, value in fields_like(model).items() if name not in left} if model else {}


def _held(code: Code | None) -> str:
    """What a static code's symbol holds; empty for others, which are judged on an address of usual length."""
    return code.symbol_text if code is not None and code.is_static else ""


def _judge(account: Account, place: int, item: SavedCode, look: dict[str, Any], text: str, issues: list[Issue]) -> str:
    """The verdict on a look, of a static code with its `text`; what would not scan goes to the issues."""
    logo = Upload.picture_of(account, look["logo_id"]) if look["logo_id"] else None
    if look["logo_id"] and logo is None:
        issues.append(Issue(f"items.{place}.logo_id", "There is no such upload: send the picture again"))
        return ""
    try:
        style = Style.model_validate(look["style"]) if look["style"] else usual(account)[0]
        static_content.check_room(text, with_logo=logo is not None)
        report = reading(style, text, logo_of(logo)) if text else verdict_on(style, logo_of(logo))
        problem = problem_in(report)
    except ValueError as unsafe:  # UnsafeStyle among them
        problem = str(unsafe)
    if problem:
        path = next(name for name in ("logo_id", "preset", "like", "static") if name in item)
        issues.append(Issue(f"items.{place}.{path}", f"This would not scan. {problem}"))
        return ""
    return report.verdict
