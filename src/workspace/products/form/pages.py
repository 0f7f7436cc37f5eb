"""`/f/SLUG`: the form as guests see it, taken when it is sent. It works without a script: all that could be asked
stands there, and the server keeps what the one rule shows."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.products.form import kinds
from workspace.products.form.models import Form, FormVersion, GuestFile
from workspace.products.form.models.file import NoRoom
from workspace.products.form.submitting import WORDS, Sent, Wrong, closed_words, submit
from workspace.products.form.written import asked
from workspace.publishing import guest_page
from workspace.publishing.guest_form import HOUR, WHOLE, Declined
from workspace.publishing.guests import STAMP, Verdict, allow, allow_with_work, hidden_fields, judge, trusted_by_work
from workspace.publishing.models import Address
from workspace.publishing.page_cache import Drawn
from workspace.publishing.share_picture import Face, sharing
from workspace.publishing.speaking import voice
from workspace.storage import media
from workspace.toolkit import clock

NAME = "form"  # of its hidden fields
HOURLY, USUAL = 30, 5  # from one place: beyond the first refused, beyond the second looked at
FRESH = timedelta(days=1)
LONGEST_TYPED = 20_000
PREFIX = "f-"  # before a field's key, so that none is called as a control of ours


def page(request: HttpRequest, address: Address) -> HttpResponse:
    if request.method != "POST":
        return guest_page.show(request, address, _drawn)
    form = Form.at(address)
    number = request.POST.get("version", "")
    version = form.versions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 9 else None
    if version is None:
        return _again(request, form, form.versions.get(number=form.version), {}, {WHOLE: Verdict.STALE.advice}, 409)
    answers = typed(request, version)
    verdict = judge(request, NAME)
    if verdict in (Verdict.FOREIGN, Verdict.STALE):
        return _again(request, form, version, answers, {WHOLE: verdict.advice}, 400)
    if not allow_with_work(request, f"form:{address.publication_id}", NAME, limit=HOURLY, window=HOUR):
        told = gettext("You have sent this several times just now. Please come back in an hour.")
        return _again(request, form, version, answers, {WHOLE: told}, 429)
    problems = _keep_files(request, form, version, answers)
    if problems:
        return _again(request, form, version, answers, problems, 400)
    sent = Sent(version.number, answers, once_of(request, answers), language=voice().language)
    suspicion = _suspicion(request, address, verdict)
    try:
        with guest_page.acting(address.publication_id):
            kept = submit(form, sent, suspicion=suspicion)
    except Wrong as wrong:
        problems = {key: gettext(WORDS[code]) for key, code in wrong.errors.items()}
        return _again(request, form, version, answers, problems, 400)
    except Declined as declined:
        return _again(request, form, version, answers, {WHOLE: declined.message}, declined.status)
    if form.redirect_url and not suspicion:
        return HttpResponseRedirect(form.redirect_url, status=303)
    return HttpResponseRedirect(voice().along(f"/f/{address.slug}/thanks?number={kept.reference}"), status=303)


def typed(request: HttpRequest, version: FormVersion) -> dict[str, Any]:
    """What stands in the controls `f-KEY`, and beside an option of one's own in `f-KEY-other`."""
    found: dict[str, Any] = {}
    for field in asked(version.body):
        name, family = PREFIX + field["key"], kinds.family(field["type"])
        given = [one[:LONGEST_TYPED] for one in request.POST.getlist(name)[:200]]
        others = {"other": request.POST.get(f"{name}-other", "")[:LONGEST_TYPED]}
        told: list[Any] = [others if one == "-other" and field.get("other") else one for one in given]
        if family in (kinds.MULTI, kinds.FILES):
            found[field["key"]] = told
        elif told:
            found[field["key"]] = told[-1]
    return found


def once_of(request: HttpRequest, answers: dict[str, Any]) -> str:
    """The same for a form that was sent twice, by a second click or by going back."""
    told = json.dumps([request.POST.get(STAMP, ""), answers], sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def _suspicion(request: HttpRequest, address: Address, verdict: Verdict) -> str:
    if verdict is Verdict.TRAPPED:
        return "trap"
    if verdict is Verdict.HASTY:
        mark = "hasty"
    elif allow(request, f"form-usual:{address.publication_id}", limit=USUAL, window=HOUR):
        return ""
    else:
        mark = "many"
    return "" if trusted_by_work(request, NAME) else mark


def _keep_files(request: HttpRequest, form: Form, version: FormVersion, answers: dict[str, Any]) -> dict[str, str]:
    """Keep what came along and put its ids among the answers; what is wrong with it by key."""
    problems: dict[str, str] = {}
    for field in asked(version.body):
        if field["type"] != "file":
            continue
        key = field["key"]
        for file in request.FILES.getlist(PREFIX + key)[: field.get("max_files", 1)]:
            most = field.get("max_mb", 8)
            if not file.size or file.size > most * 1024 * 1024:
                problems[key] = gettext("A file may have up to {most} MB").format(most=most)
                continue
            try:
                name, content = media.plain_name(file.name or ""), file.read()
                kind = media.media_type(content, name)
                if not accepts(field, name, kind):
                    raise ValueError(gettext("This kind of file is not taken here"))
                kept = GuestFile.keep(form, key, name, kind, content)
                answers[key] = [*answers.get(key, []), kept.pk]
            except NoRoom:
                problems[key] = gettext("There is no room for files at the moment. Please send it by mail.")
            except ValueError as problem:
                problems[key] = str(problem)
    return problems


def accepts(field: dict[str, Any], name: str, kind: str) -> bool:
    """By the ending and by the bytes: a picture is one, whatever it is called."""
    wanted = field.get("accept")
    if not wanted:
        return True
    ending = name.rpartition(".")[2].lower()
    if kind.startswith("image/"):
        return "image" in wanted or kind.removeprefix("image/").replace("jpeg", "jpg") in wanted or "jpeg" in wanted
    return ending in wanted and (ending != "pdf" or kind == "application/pdf")


@require_safe
def thanks(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.at(address)
    number = request.GET.get("number", "")
    context = {**_context(form), "thanks": form.thank_you, "number": number if number.isalnum() else ""}
    response = render(request, "form/thanks.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _again(
    request: HttpRequest,
    form: Form,
    version: FormVersion,
    answers: dict[str, Any],
    problems: dict[str, str],
    status: int,
) -> HttpResponse:
    context = {**_context(form), **_asked(version, answers, problems), "hidden_fields": hidden_fields(NAME)}
    response = render(request, "form/page.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _drawn(address: Address) -> Drawn:
    form = Form.at(address)
    version = form.versions.get(number=form.version)
    why = form.closed()
    context = {
        **_context(form),
        **_asked(version, {}, {}),
        "closed": closed_words(why),
        "share": sharing(address, face_of(form)),
        "hidden_fields": hidden_fields(NAME),
    }
    ends = clock.now() + FRESH
    if form.closes_at is not None and not why:
        ends = min(ends, form.closes_at)
    return Drawn(render_to_string("form/page.html", context), ends)


def _context(form: Form) -> dict[str, Any]:
    return {"form": form, "look": form.look, "business": form.account.name, "url": form.public_url}


def _asked(version: FormVersion, answers: dict[str, Any], problems: dict[str, str]) -> dict[str, Any]:
    pages = [
        {"title": page["title"], "fields": [_field(one, answers, problems) for one in page["fields"]]}
        for page in version.body["pages"]
    ]
    return {"version": version.number, "pages": pages, "problems": problems, "whole": problems.get(WHOLE, "")}


def _field(one: dict[str, Any], answers: dict[str, Any], problems: dict[str, str]) -> dict[str, Any]:
    value = answers.get(one["key"], one.get("default", ""))
    chosen = [str(part) for part in (value if isinstance(value, list) else [value]) if not isinstance(part, dict)]
    other = next(
        (part["other"] for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)), ""
    )
    numbers = range(int(one["min"]), int(one["max"]) + 1) if one["type"] in ("rating", "scale") else ()
    return {
        **one,
        "name": PREFIX + one["key"],
        "value": {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value,
        "chosen": chosen,
        "other_text": other,
        "numbers": [str(number) for number in numbers],
        "problem": problems.get(one["key"], ""),
        "is_hidden": one.get("hidden", False),
    }


def face_at(address: Address) -> Face:
    return face_of(Form.at(address))


def face_of(form: Form) -> Face:
    return Face.of(form.account, form.title, "", look=form.look)
