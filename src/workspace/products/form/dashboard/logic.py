"""What is shown when, in sentences: of questions and of pages; and trying answers."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, is_part, redirect_whole
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.form import kinds, tools
from workspace.products.form.dashboard import build, rules
from workspace.products.form.dashboard.frame import FRAME
from workspace.products.form.dashboard.sentences import Sentences
from workspace.products.form.dashboard.shown import find, page_name, question_of, said_elsewhere
from workspace.products.form.rows import FormWhole
from workspace.toolkit.errors import InvalidInput

SAVED = "Saved. Guests see it on their next load."
WHY = {"page": "its page is not reached", "section": "its section is not shown", "show_if": "its rule does not hold"}


@page()
def logic(request: SignedInRequest, id: str) -> HttpResponse:
    found = find(request, id)
    if key := request.GET.get("question", ""):
        return redirect_whole(request, f"{FRAME.home}/{id}/logic/questions/{question_of(found, key)['key']}")
    words, url = Sentences(found["pages"]), f"{FRAME.home}/{id}/logic"
    fields = [one for page in found["pages"] for one in page["fields"]]
    context = {
        "found": found,
        "ruled": [
            {"key": one["key"], "name": one["label"], "when": words.condition(one["show_if"]),
             "url": f"{url}/questions/{one['key']}"}
            for one in fields if "show_if" in one
        ],
        "free": [(one["key"], one["label"]) for one in fields if "show_if" not in one],
        "pages": [
            {"key": one["key"], "name": page_name(one, number), "jumps": words.jumps(one),
             "url": f"{url}/pages/{one['key']}", "last": number == len(found["pages"])}
            for number, one in enumerate(found["pages"], 1)
        ],
    }  # fmt: skip
    return FRAME.page(request, id, "form/logic.html", context)


@page("GET", "HEAD", "POST")
def question(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    """When one question is shown."""
    found = find(request, id)
    row = question_of(found, key)
    words = Sentences(found["pages"])
    parts = rules.leaves_of(row.get("show_if"))
    joint, rows = (parts[0], rules.drawn(parts[1], words)) if parts else ("all", rules.drawn([], words))
    problems: list[str] = []
    if request.method == "POST":
        joint, rows = request.POST.get("joint", "all"), rules.typed(request.POST)
        given = rules.condition_of(rows, joint, words.fields) or {}
        try:
            call(request, tools.save_fields, id=id, items=[{"key": key, "show_if": given}])
        except InvalidInput as refusal:
            problems = _told(refusal, "items.0.show_if", rows, found)
        else:
            return done(request, SAVED, f"{FRAME.home}/{id}/logic")
    place = next(n for n, one in enumerate(found["pages"]) if one["key"] == row["page"])
    context = {
        "heading": f"Show “{row['label'][:90]}”",
        "joint": joint,
        "rows": rows,
        "problems": problems,
        "nested": words.condition(row["show_if"]) if parts is None else "",
        "choices": rules.answerable(found["pages"], place, key),
        "url": f"{FRAME.home}/{id}/logic/questions/{key}",
    }
    return _drawn(request, id, "rule_form", context, 422 if problems else 200, f"rule-{key}")


@page("GET", "HEAD", "POST")
def jumps(request: SignedInRequest, id: str, part: str) -> HttpResponse:
    """Where guests go after a page: the first jump that holds."""
    found = find(request, id)
    place = next((n for n, one in enumerate(found["pages"]) if one["key"] == part), -1)
    given = build.plain(found, part)
    words, own = Sentences(found["pages"]), found["pages"][place]
    leaps = [_leap(one, words) for one in own.get("next", ())]
    problems: list[str] = []
    if request.method == "POST":
        leaps, told = _typed(request, own, words)
        given[place]["next"] = told
        try:
            call(request, tools.save_fields, id=id, pages=given)
        except InvalidInput as refusal:
            for issue in refusal.issues:
                at = issue.path.split(".")
                number = int(at[3]) if len(at) > 3 and at[2] == "next" and at[3].isdigit() else None
                mine = at[1:2] == [str(place)] and number is not None and number < len(told)
                if mine and number is not None:
                    next(one for one in leaps if one["given"] is told[number])["problem"] = issue.message
                problems.append(issue.message if mine else said_elsewhere(InvalidInput([issue]), found["pages"]))
        else:
            return done(request, SAVED, f"{FRAME.home}/{id}/logic")
    leaps.append({"to": "", "row": rules.drawn([], words, 1)[0], "nested": "", "kept": ""})
    later = [(one["key"], page_name(one, n + 1)) for n, one in enumerate(found["pages"]) if n > place]
    context = {
        "heading": f"After “{page_name(own, place + 1)}”",
        "leaps": leaps,
        "problems": problems,
        "targets": [*later, ("end", "The end: send it")],
        "choices": rules.answerable(found["pages"], place),
        "url": f"{FRAME.home}/{id}/logic/pages/{part}",
    }
    return _drawn(request, id, "jump_form", context, 422 if problems else 200, f"jumps-{part}")


@page("GET", "HEAD", "POST")
def trial(request: SignedInRequest, id: str) -> HttpResponse:
    """Answers, and what guests with them would see."""
    found = find(request, id)
    tried: tools.Tried | None = None
    answers: dict[str, Any] = {}
    fields = [one for page in found["pages"] for one in page["fields"] if one["type"] not in ("file", "signature")]
    if request.method == "POST":
        for one in fields:
            texts = [text for text in request.POST.getlist(f"f-{one['key']}") if text.strip()]
            if texts:
                answers[one["key"]] = texts if one["type"] == "multi_choice" else texts[-1]
        tried = call(request, tools.try_answers, id=id, answers=answers)
    names = {one["key"]: page_name(one, number) for number, one in enumerate(found["pages"], 1)}
    context = {
        "fields": [{**one, "given": answers.get(one["key"], ""), "asks": _asks(one)} for one in fields],
        "tried": tried,
        "outcome": _outcome(found, tried) if tried else [],
        "passed": [name for key, name in names.items() if tried and key in tried["pages"]],
        "url": f"{FRAME.home}/{id}/logic/try",
    }
    return FRAME.page(request, id, "form/try.html", context)


def _asks(one: dict[str, Any]) -> bool:
    return kinds.family(one["type"]) != kinds.NOTHING and one["type"] != "calculated"


def _outcome(found: FormWhole, tried: tools.Tried) -> list[dict[str, Any]]:
    """Of each question whether it is shown, and why not; what is wrong with its answer, and what it counts."""
    wrong = {one["key"]: one["message"] for one in tried["errors"]}
    return [
        {
            "name": one["label"],
            "shown": one["key"] in tried["shown"],
            "why": WHY.get(tried["why"].get(one["key"], ""), ""),
            "required": one["key"] in tried["required"],
            "wrong": wrong.get(one["key"], ""),
            "kept": tried["kept"].get(one["key"]) if one["type"] == "calculated" else None,
        }
        for page in found["pages"]
        for one in page["fields"]
    ]


def _told(refusal: InvalidInput, begin: str, rows: list[dict[str, Any]], found: FormWhole) -> list[str]:
    """Puts each message at its row, and tells all of them."""
    told = []
    for issue in refusal.issues:
        row = rules.wrong_row(issue.path, begin, rows)
        if row is not None:
            rows[row]["problem"] = issue.message
        elsewhere = not issue.path.startswith("items.")
        told.append(said_elsewhere(InvalidInput([issue]), found["pages"]) if elsewhere else issue.message)
    return told


def _leap(leap: dict[str, Any], words: Sentences) -> dict[str, Any]:
    parts = rules.leaves_of(leap.get("if"))
    simple = parts is not None and len(parts[1]) < 2
    row = rules.drawn(parts[1] if parts and simple else [], words, 1)[0]
    return {"to": leap["go_to"], "row": row, "nested": "" if simple else words.condition(leap["if"]), "kept": ""}


def _typed(request: SignedInRequest, own: Any, words: Sentences) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The jumps as they were typed, and as the tool takes them. One with several conditions stays as it is."""
    targets, kept = request.POST.getlist("to")[:30], request.POST.getlist("kept")[:30]
    rows, before = rules.typed(request.POST), own.get("next", [])
    leaps, told = [], []
    for place, (to, row) in enumerate(zip(targets, rows, strict=False)):
        if not to:
            continue
        old = before[place] if place < len(before) and place < len(kept) and kept[place] else None
        condition = old.get("if") if old else rules.condition_of([row], "all", words.fields)
        given = {"go_to": to, **({"if": condition} if condition else {})}
        leaps.append({"to": to, "row": row, "nested": words.condition(condition) if old and condition else "",
                      "given": given})  # fmt: skip
        told.append(given)
    return leaps, told


def _drawn(
    request: SignedInRequest, id: str, part: str, context: dict[str, Any], status: int, place: str
) -> HttpResponse:
    context = {**context, "ops": rules.OPS, "back": f"{FRAME.home}/{id}/logic", "in_place": is_part(request)}
    if not is_part(request):
        return FRAME.page(request, id, "form/question.html", {**context, "part": f"form/parts/{part}.html"}, status)
    response = render(request, f"form/parts/{part}.html", context, status=status)
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#{place}", "innerHTML"
    return response
