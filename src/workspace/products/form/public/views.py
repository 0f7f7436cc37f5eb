"""`/f/SLUG`: the form as guests see it. Each page of it that is sent is judged by the one rule, with the version that
it was drawn from, and answered with the next one; the last one is kept. So it works without a script; with it nothing
is sent before the last page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.lib import clock
from workspace.products.form.api.response_stats import PAGE, START
from workspace.products.form.domain import error_messages, save_and_resume, uploads
from workspace.products.form.domain.posted_answers import Posted, TooMuch, begun, check_size, from_link, read
from workspace.products.form.domain.submissions import (
    AnsweredBefore,
    Sent,
    Wrong,
    closed_words,
    judged,
    submit,
    today_of,
)
from workspace.products.form.models import Form, FormVersion
from workspace.products.form.public.context import Sheet, has_logic, page_of, placed, seen_on
from workspace.products.form.rules.evaluation import evaluate
from workspace.products.form.rules.form_output import asked
from workspace.public_site import guest_page
from workspace.public_site.active_frame import frame, within
from workspace.public_site.guest_form import HOUR, Declined
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.public_site.spam_protection import Verdict, allow, allow_with_work, hidden_fields, judge, trusted_by_work
from workspace.publishing.locale import saying, voice
from workspace.publishing.models import Address

NAME = "form"  # of its hidden fields
STEPS = 600  # pages of a form that one place may send within an hour
HOURLY, USUAL = 120, 10  # forms from one place: beyond the first refused, beyond the second looked at
FRESH = timedelta(days=1)


def page(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.at(address)
    with in_its_language(form):
        if request.method == "POST":
            response = _taken(request, address, form)
        else:
            version = version_of(form, form.version)
            # its owner may look at any page of it, and at a question also while its condition hides it
            step = request.GET.get("step", "") if guest_page.is_preview(request, address.publication) else ""
            given = from_link(request.GET, version.body) if request.GET and version and not step else {}
            if given and not allow(request, f"form-filled:{form.pk}", limit=STEPS, window=HOUR):
                given = {}  # a page of one's own costs more than the one that is kept for all
            draw = partial(_drawn, form=form, given=given, step=step)
            response = guest_page.show(request, address, draw, keep=not given)
        response.headers.setdefault("Content-Language", voice().language)
        return response


def _drawn(address: Address, *, form: Form, given: dict[str, Any], step: str) -> Drawn:
    version = form.versions.get(number=form.version)
    why = form.closed()
    context = {**context_of(form), "share": sharing(address, face_of(form)), "closed": closed_words(why)}
    ends = clock.now() + FRESH
    if not why:
        answers = {**begun(version.body), **given}
        today = today_of(form.account)
        outcome = evaluate(version.body, answers, today)
        if step:
            outcome.shown[step] = None
        sheet = Sheet(version, answers, outcome, page_of(version.body, step), today)
        context |= {**sheet.context(), **_more(form, version), "is_fresh": True}
        if form.closes_at is not None:
            ends = min(ends, form.closes_at)
    return Drawn(render_to_string("form/page.html", context), ends)


def _taken(request: HttpRequest, address: Address, form: Form) -> HttpResponse:
    if not allow(request, f"form-steps:{form.pk}", limit=STEPS, window=HOUR):
        return told_page(form, gettext("You have sent this several times just now. Please come back in an hour."), 429)
    current = form.versions.get(number=form.version)
    try:
        check_size(request, takes_files=any(one["type"] == "file" for one in asked(current.body)))
        number = request.POST.get("version", "")
        version = version_of(form, int(number) if number.isdecimal() and len(number) < 9 else 0)
        posted = read(request, (version or current).body)
    except TooMuch:
        return told_page(form, gettext("This is more than the form can take. Please write less."), 413)
    if not posted.token and not posted.was_told:  # the first page, without script, which tells by itself
        guest_page.count(request, address.publication, START)
    if version is None:
        return _begun_again(request, form, current, posted)
    return _answered(request, address, form, version, posted)


def _answered(request: HttpRequest, address: Address, form: Form, version: FormVersion, posted: Posted) -> HttpResponse:
    """Answer a page that was sent: the same page, another one, or the end."""
    verdict = judge(request, NAME, waits=False)
    wrong = {} if verdict is Verdict.TRAPPED else uploads.take(request, form, version, posted)
    told = judged(form, version.number, posted.answers)
    today, outcome = today_of(form.account), told.outcome
    now = placed(outcome, posted.page)
    again = partial(drawn_again, request, form, version, posted)
    if verdict in (Verdict.FOREIGN, Verdict.STALE):
        return again(Sheet(version, posted.answers, outcome, now, today, note=verdict.advice), 400)
    if posted.asks == "back":
        before = outcome.pages[max(outcome.pages.index(now) - 1, 0)]
        return again(Sheet(version, posted.answers, outcome, before, today), 200)
    if posted.asks == "later":
        try:
            return _kept_for_later(form, save_and_resume.keep(request, form, version, posted, now))
        except Declined as declined:
            return again(Sheet(version, posted.answers, outcome, now, today, note=declined.message), declined.status)
    wrong = {
        key: error_messages.words(_field(version, key), code, today) for key, code in outcome.errors.items()
    } | wrong
    reached = outcome.pages[: outcome.pages.index(now) + 1]
    if first := _first_wrong(version, reached, wrong):
        return again(Sheet(version, posted.answers, outcome, first, today, wrong), 400)
    new = [one for one in seen_on(version.body, now, outcome) if one not in posted.seen]
    if new and not posted.was_told:
        note = gettext("Something has changed with your answers. Please look at it, then go on.")
        changed = [one.partition("=")[0] for one in new]
        sheet = Sheet(version, posted.answers, outcome, now, today, note=note, changed=changed)
        return again(sheet, 200, was_told=True)
    if now != outcome.pages[-1]:
        following = outcome.pages[outcome.pages.index(now) + 1]
        guest_page.count(request, address.publication, PAGE, part=following)
        return again(Sheet(version, posted.answers, outcome, following, today), 200)
    return _sent(request, address, form, version, posted, verdict, Sheet(version, posted.answers, outcome, now, today))


def _sent(
    request: HttpRequest,
    address: Address,
    form: Form,
    version: FormVersion,
    posted: Posted,
    verdict: Verdict,
    sheet: Sheet,
) -> HttpResponse:
    """The last page: it is kept, whatever it looks like."""
    if not allow_with_work(request, f"form:{form.pk}", NAME, limit=HOURLY, window=HOUR):
        sheet.note = gettext("You have sent this several times just now. Please come back in an hour.")
        return drawn_again(request, form, version, posted, sheet, 429)
    suspicion = _suspicion(request, form, verdict)
    sent = Sent(
        version.number,
        posted.answers,
        posted.once,
        language=voice().language,
        accepted=request.headers.get("Accept-Language", "")[:200],
        resume=posted.resume,
        outcome=sheet.outcome,
    )
    try:
        with guest_page.acting(address.publication_id):
            kept = submit(form, sent, suspicion=suspicion)
    except Wrong as changed:  # since it was judged: another has claimed the file
        sheet.outcome, sheet.note = changed.outcome, gettext("Please look at this once more")
        sheet.wrong = {
            key: error_messages.words(_field(version, key), code, sheet.today) for key, code in changed.errors.items()
        }
        return drawn_again(request, form, version, posted, sheet, 400)
    except AnsweredBefore as before:
        sheet.now, sheet.wrong = before.page, {before.key: before.message}
        return drawn_again(request, form, version, posted, sheet, before.status)
    except Declined as declined:
        sheet.note = declined.message
        return drawn_again(request, form, version, posted, sheet, declined.status)
    copy = {"mail": "1"} if form.receipt and kept.email and not kept.suspicion else {}
    if form.redirect_url and frame() is None:
        return HttpResponseRedirect(form.redirect_url, status=303)
    return HttpResponseRedirect(within(f"/f/{address.slug}", "/thanks", number=kept.reference, **copy), status=303)


def _suspicion(request: HttpRequest, form: Form, verdict: Verdict) -> str:
    if verdict is Verdict.TRAPPED:
        return "trap"
    if verdict is Verdict.HASTY:
        mark = "hasty"
    elif allow(request, f"form-usual:{form.pk}", limit=USUAL, window=HOUR):
        return ""
    else:
        mark = "many"
    return "" if trusted_by_work(request, NAME) else mark


def _first_wrong(version: FormVersion, reached: list[str], wrong: dict[str, str]) -> str:
    pages = {page["key"]: page for page in version.body["pages"]}
    return next((key for key in reached if any(one["key"] in wrong for one in pages[key]["fields"])), "")


def _begun_again(request: HttpRequest, form: Form, version: FormVersion, posted: Posted) -> HttpResponse:
    """The version that they saw is forgotten: what still fits stands in the newest one."""
    today = today_of(form.account)
    outcome = evaluate(version.body, posted.answers, today)
    note = gettext("This form has changed since. Please fill it in once more.")
    sheet = Sheet(version, posted.answers, outcome, outcome.pages[0], today, note=note)
    return drawn_again(request, form, version, posted, sheet, 409)


def drawn_again(
    request: HttpRequest,
    form: Form,
    version: FormVersion,
    posted: Posted,
    sheet: Sheet,
    status: int,
    *,
    was_told: bool = False,
) -> HttpResponse:
    """A page of the form with what was answered. A browser may keep it for going back, and nobody else."""
    sheet.files = uploads.names_of(form, posted.answers, version.body)
    context = {
        **context_of(form),
        **sheet.context(),
        **_more(form, version, stamp=request.POST.get("stamp", "")),
        "token": posted.token or token_urlsafe(18),
        "resume": posted.resume,
        "was_told": was_told,
    }
    return _private(render(request, "form/page.html", context, status=status))


def _more(form: Form, version: FormVersion, *, stamp: str = "") -> dict[str, Any]:
    return {
        "hidden_fields": hidden_fields(NAME, since=stamp),
        "has_logic": has_logic(version.body),
        "zone": form.account.time_zone,
    }


def context_of(form: Form) -> dict[str, Any]:
    action = within(f"/f/{form.slug}")
    return {"form": form, "look": form.look, "business": form.account.name, "url": form.public_url, "sent_to": action}


def _heading(status: int) -> str:
    if status == 404:
        return gettext("There is nothing here any more")
    return gettext("One moment, please") if status == 429 else gettext("That was too much")


def told_page(form: Form, text: str, status: int) -> HttpResponse:
    context = {
        "sign": "…",
        "eyebrow": form.account.name,
        "heading": _heading(status),
        "text": text,
        "url": within(f"/f/{form.slug}"),
        "action": gettext("Back to the form"),
    }
    return _private(HttpResponse(render_to_string("public/message.html", context), status=status))


def _kept_for_later(form: Form, to: str) -> HttpResponse:
    context = {
        "sign": "✓",
        "eyebrow": form.account.name,
        "heading": gettext("The link is on its way"),
        "text": gettext("It goes to [to] and works for 30 days, on any device.").replace("[to]", to),
    }
    return _private(HttpResponse(render_to_string("public/message.html", context)))


def _private(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@contextmanager
def in_its_language(form: Form) -> Iterator[None]:
    """The form's own, where its owner says so and the guest has not chosen another."""
    spoken = voice()
    with saying(replace(spoken, language=form.language) if form.language and not spoken.choice else spoken):
        yield


def version_of(form: Form, number: int) -> FormVersion | None:
    return form.versions.filter(number=number).first()


def _field(version: FormVersion, key: str) -> dict[str, Any]:
    return next(one for one in asked(version.body) if one["key"] == key)


def face_at(address: Address) -> Face:
    return face_of(Form.at(address))


def face_of(form: Form) -> Face:
    return Face.of(form.account, form.title, "", look=form.look)
