"""The guest page of a form: `/f/SLUG`.

Each submitted page is evaluated with the version from which it was rendered, and the response is the next page. The
answers are saved after the last one, so forms work without scripts. With scripts, only the last page is submitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.lib import clock
from workspace.products.form.api.response_stats import PAGE_EVENT, START_EVENT
from workspace.products.form.domain import error_messages, save_and_resume, uploads
from workspace.products.form.domain.posted_answers import (
    FormPost,
    FormTooLargeError,
    answers_from_link,
    check_size,
    default_answers,
    parse_post,
)
from workspace.products.form.domain.submissions import (
    AlreadyAnsweredError,
    AnswersInvalidError,
    FormSubmission,
    check_answers,
    closed_message,
    prepare_response,
    submit_answers,
    today_for,
)
from workspace.products.form.models import Form, FormVersion
from workspace.products.form.public.context import (
    FormView,
    find_preview_page,
    find_reached_page,
    has_logic,
    list_visible_fields,
)
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.public_site import guest_page
from workspace.public_site.current_embed import build_part_url, current_frame
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.public_site.spam_protection import (
    SpamVerdict,
    check_submission,
    consume_with_work,
    has_proof_of_work,
    render_hidden_fields,
)
from workspace.publishing.locale import current_locale, use_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume
from workspace.storage.database.compiled_function import compile_once

FORM_NAME = "form"  # name of its spam protection
MAX_AGE = timedelta(days=1)


def page(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.from_address(address)
    with use_form_language(form):
        if request.method == "POST":
            response = _handle_post(request, address, form)
        else:
            # the owner can preview any page, and questions even while their condition hides them
            step = request.GET.get("step", "") if guest_page.is_preview(request, address.publication) else ""
            version = find_version(form, form.version) if request.GET and not step else None
            fields = answers_from_link(request.GET, version.body) if version else {}
            if fields and not consume("form-prefill", request, item=form.pk):
                fields = {}  # a prefilled page costs more than the cached page
            draw = partial(_render_page, form=form, fields=fields, step=step)
            response = guest_page.render_page(request, address, draw, use_cache=not fields)
        response.headers.setdefault("Content-Language", current_locale().language)
        return response


def _render_page(address: Address, *, form: Form, fields: dict[str, Any], step: str) -> RenderedPage:
    version = get_version(form, form.version)
    reason = form.closed_reason()
    context = {
        **build_context(form),
        "share": build_metadata(address, share_preview(form)),
        "closed": closed_message(reason),
    }
    ends = clock.now() + MAX_AGE
    if not reason:
        answers = {**default_answers(version.body), **fields}
        today = today_for(form.account)
        outcome = evaluate_form(version.body, answers, today)
        if step:
            outcome.visible[step] = None
        sheet = FormView(version, answers, outcome, find_preview_page(version.body, step), today)
        context |= {**sheet.page_context(), **_form_context(form, version), "is_fresh": True}
        if form.closes_at is not None:
            ends = min(ends, form.closes_at)
    return RenderedPage(render_to_string("form/page.html", context), ends)


def _handle_post(request: HttpRequest, address: Address, form: Form) -> HttpResponse:
    if not consume("form-step", request, item=form.pk):
        return render_message(form, gettext("You’ve sent this form several times. Try again in an hour."), 429)
    current = form.versions.get(number=form.version)
    try:
        check_size(request, takes_files=any(field["type"] == "file" for field in answerable_fields(current.body)))
        number = request.POST.get("version", "")
        version = find_version(form, int(number) if number.isdecimal() and len(number) < 9 else 0)
        post = parse_post(request, (version or current).body)
    except FormTooLargeError:
        return render_message(form, gettext("Your answers are too long. Please shorten them."), 413)
    if not post.token and not post.change_shown:  # the first page without scripts, which has not reported a start
        guest_page.count_visit(request, address.publication, START_EVENT)
    if version is None:
        return _restart_form(request, form, current, post)
    return _handle_page(request, address, form, version, post)


def _handle_page(
    request: HttpRequest, address: Address, form: Form, version: FormVersion, post: FormPost
) -> HttpResponse:
    """Respond to a submitted page with the same page, another page, or the end."""
    verdict = check_submission(request, FORM_NAME, delays_hasty=False)
    wrong = {} if verdict is SpamVerdict.TRAPPED else uploads.store_uploads(request, form, version, post)
    checked = check_answers(form, version.number, post.answers)
    today, outcome = today_for(form.account), checked.outcome
    now = find_reached_page(outcome, post.page)
    again = partial(render_again, request, form, version, post)
    if verdict in (SpamVerdict.FOREIGN, SpamVerdict.STALE):
        return again(FormView(version, post.answers, outcome, now, today, note=verdict.advice), 400)
    if post.action == "back":
        before = outcome.pages[max(outcome.pages.index(now) - 1, 0)]
        return again(FormView(version, post.answers, outcome, before, today), 200)
    if post.action == "later":
        try:
            return _render_link_sent(form, save_and_resume.save_for_later(request, form, version, post, now))
        except GuestActionDeclinedError as declined:
            return again(FormView(version, post.answers, outcome, now, today, note=declined.message), declined.status)
    wrong = {
        key: error_messages.error_message(_get_field(version, key), code, today) for key, code in outcome.errors.items()
    } | wrong
    reached = outcome.pages[: outcome.pages.index(now) + 1]
    if first := _first_invalid_page(version, reached, wrong):
        return again(FormView(version, post.answers, outcome, first, today, wrong), 400)
    new = [field for field in list_visible_fields(version.body, now, outcome) if field not in post.visible_fields]
    if new and not post.change_shown:
        note = gettext("The form has changed because of your answers. Check it, then continue.")
        changed = [value.partition("=")[0] for value in new]
        sheet = FormView(version, post.answers, outcome, now, today, note=note, changed_fields=changed)
        return again(sheet, 200, change_shown=True)
    if now != outcome.pages[-1]:
        following = outcome.pages[outcome.pages.index(now) + 1]
        guest_page.count_visit(request, address.publication, PAGE_EVENT, part=following)
        return again(FormView(version, post.answers, outcome, following, today), 200)
    return _submit_form(
        request, address, form, version, post, verdict, FormView(version, post.answers, outcome, now, today)
    )


def _submit_form(
    request: HttpRequest,
    address: Address,
    form: Form,
    version: FormVersion,
    post: FormPost,
    verdict: SpamVerdict,
    form_view: FormView,
) -> HttpResponse:
    """Save the response after the last page, even if it looks like spam."""
    if not consume_with_work("form", request, FORM_NAME, item=form.pk):
        form_view.note = gettext("You’ve sent this form several times. Try again in an hour.")
        return render_again(request, form, version, post, form_view, 429)
    suspicion = _find_suspicion(request, form, verdict)
    sent = FormSubmission(
        version.number,
        post.answers,
        post.dedupe_key,
        language=current_locale().language,
        accepted_languages=request.headers.get("Accept-Language", "")[:200],
        resume_token=post.resume_token,
        outcome=form_view.outcome,
    )
    try:
        prepared = None if suspicion else prepare_response(form, sent)  # suspected spam sends no emails
        with guest_page.guest_transaction(address.publication_id):
            response = submit_answers(form, sent, suspicion=suspicion, prepared=prepared)
    except AnswersInvalidError as changed:  # changed since the evaluation: another response has claimed the file
        form_view.outcome, form_view.note = changed.outcome, gettext("Check this answer")
        form_view.errors = {
            key: error_messages.error_message(_get_field(version, key), code, form_view.today)
            for key, code in changed.errors.items()
        }
        return render_again(request, form, version, post, form_view, 400)
    except AlreadyAnsweredError as before:
        form_view.current_page, form_view.errors = before.page, {before.key: before.message}
        return render_again(request, form, version, post, form_view, before.status)
    except GuestActionDeclinedError as declined:
        form_view.note = declined.message
        return render_again(request, form, version, post, form_view, declined.status)
    copy = {"mail": "1"} if form.receipt and response.email and not response.suspicion else {}
    if form.redirect_url and current_frame() is None:
        return HttpResponseRedirect(form.redirect_url, status=303)
    return HttpResponseRedirect(
        build_part_url(f"/f/{address.slug}", "/thanks", number=response.reference, **copy), status=303
    )


def _find_suspicion(request: HttpRequest, form: Form, verdict: SpamVerdict) -> str:
    if verdict is SpamVerdict.TRAPPED:
        return "trap"
    if verdict is SpamVerdict.HASTY:
        mark = "hasty"
    elif consume("form-unsuspected", request, item=form.pk):
        return ""
    else:
        mark = "many"
    return "" if has_proof_of_work(request, FORM_NAME) else mark


def _first_invalid_page(version: FormVersion, reached: list[str], errors: dict[str, str]) -> str:
    pages = {page["key"]: page for page in version.body["pages"]}
    return next((key for key in reached if any(field["key"] in errors for field in pages[key]["fields"])), "")


def _restart_form(request: HttpRequest, form: Form, version: FormVersion, post: FormPost) -> HttpResponse:
    """Restart with the latest version if the guest's version was deleted. Keep answers that still fit."""
    today = today_for(form.account)
    outcome = evaluate_form(version.body, post.answers, today)
    note = gettext("This form has changed since you opened it. Please fill it in again.")
    sheet = FormView(version, post.answers, outcome, outcome.pages[0], today, note=note)
    return render_again(request, form, version, post, sheet, 409)


def render_again(
    request: HttpRequest,
    form: Form,
    version: FormVersion,
    post: FormPost,
    form_view: FormView,
    status: int,
    *,
    change_shown: bool = False,
) -> HttpResponse:
    """Render a page with the answers filled in.

    Only the guest's own browser may cache the page, so that the guest can go back to it.
    """
    form_view.files = uploads.list_file_names(form, post.answers, version.body)
    context = {
        **build_context(form),
        **form_view.page_context(),
        **_form_context(form, version, stamp=request.POST.get("stamp", "")),
        "token": post.token or token_urlsafe(18),
        "resume": post.resume_token,
        "change_shown": change_shown,
    }
    return _private_response(render(request, "form/page.html", context, status=status))


def _form_context(form: Form, version: FormVersion, *, stamp: str = "") -> dict[str, Any]:
    return {
        "hidden_fields": render_hidden_fields(FORM_NAME, since=stamp),
        "has_logic": has_logic(version.body),
        "zone": form.account.time_zone,
    }


def build_context(form: Form) -> dict[str, Any]:
    action = build_part_url(f"/f/{form.slug}")
    return {"form": form, "look": form.style, "business": form.account.name, "url": form.public_url, "sent_to": action}


def _message_heading(status: int) -> str:
    if status == 404:
        return gettext("This link no longer works")
    return gettext("Please wait") if status == 429 else gettext("Too much text")


def render_message(form: Form, text: str, status: int) -> HttpResponse:
    context = {
        "sign": "…",
        "eyebrow": form.account.name,
        "heading": _message_heading(status),
        "text": text,
        "url": build_part_url(f"/f/{form.slug}"),
        "action": gettext("Back to the form"),
    }
    return _private_response(HttpResponse(render_to_string("public/message.html", context), status=status))


def _render_link_sent(form: Form, email: str) -> HttpResponse:
    context = {
        "sign": "✓",
        "eyebrow": form.account.name,
        "heading": gettext("Link sent"),
        "text": gettext("We’ve sent it to [to]. It works for 30 days on any device.").replace("[to]", email),
    }
    return _private_response(HttpResponse(render_to_string("public/message.html", context)))


def _private_response(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@contextmanager
def use_form_language(form: Form) -> Iterator[None]:
    """Use the form's language if it has one and the guest has not chosen another."""
    spoken = current_locale()
    with use_locale(replace(spoken, language=form.language) if form.language and not spoken.choice else spoken):
        yield


def find_version(form: Form, number: int) -> FormVersion | None:
    found = _versions_of_number.fetch(form, number)
    return found[0] if found else None


def get_version(form: Form, number: int) -> FormVersion:
    """Return a version. Raise ValueError if it does not exist."""
    [version] = _versions_of_number.fetch(form, number)
    return version


@compile_once
def _versions_of_number(form: Form, number: int) -> QuerySet[FormVersion]:
    return form.versions.filter(number=number)


def _get_field(version: FormVersion, key: str) -> dict[str, Any]:
    return next(field for field in answerable_fields(version.body) if field["key"] == key)


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Form.from_address(address))


def share_preview(form: Form) -> SharePreview:
    return SharePreview.from_brand(form.account, form.title, "", style=form.style)
