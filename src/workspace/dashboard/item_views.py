"""The pages that items of all products share: the share page, analytics, settings, preview, deletion and the switch.

Each view gets the product's layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard import previews as guests_page
from workspace.dashboard import visit_charts
from workspace.dashboard.embed_code import embed_snippets
from workspace.dashboard.item_layout import ItemLayout
from workspace.dashboard.item_presenters import (
    PNG_SIZES,
    PRINT_PATH,
    format_input_time,
    redirect_with_message,
    render_confirmation,
)
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.dashboard.undo_views import get_return_url
from workspace.insights import overview_tools
from workspace.publishing.guest_language import DEFAULT_CALL, guest_language, translate_call_to_action

LABELS = {"slug": gettext_lazy("Link"), "expires_at": gettext_lazy("Expires"), "password": gettext_lazy("Password")}
PRINT_KINDS = (("poster", gettext_lazy("Poster")), ("tent", gettext_lazy("Table tent")))
PAPER_SIZES = (
    ("a6", gettext_lazy("A6 (small card)")),
    ("a5", gettext_lazy("A5 (table)")),
    ("a4", gettext_lazy("A4 (wall)")),
    ("letter", gettext_lazy("Letter (wall)")),
)
PRINT_DESIGNS = ("classic", "soft", "ink", "ocean", "bistro", "midnight")


@page()
def share(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    found = layout.get_item(request, id)
    usual = translate_call_to_action(getattr(found, "call_to_action", DEFAULT_CALL), guest_language(request.account))
    print_options = {
        "kind": _choice_from_query(request, "kind", [name for name, _ in PRINT_KINDS]),
        "design": _choice_from_query(request, "design", ["", *PRINT_DESIGNS]),
        "size": _choice_from_query(request, "size", [name for name, _ in PAPER_SIZES], "a5"),
        "call_to_action": request.GET.get("call_to_action", usual)[:80],
    }
    # for items with a password, such as the QR code of a Wi-Fi network
    print_options |= {"include_password": "true"} if "include_password" in request.GET else {}
    context = {
        "sizes": PNG_SIZES,
        "kinds": PRINT_KINDS,
        "papers": PAPER_SIZES,
        "designs": [
            (name, f"{PRINT_PATH}?{urlencode({'thing': id, 'design': name, 'format': 'svg'})}")
            for name in PRINT_DESIGNS
        ],
        "wishes": print_options,
        "print_seen": f"{PRINT_PATH}?{urlencode({**_print_arguments(id, print_options), 'format': 'png'})}",
        "snippets": embed_snippets(request.account, found, found.call_to_action if layout.website else "")
        if layout.website is not None
        else [],
        **layout.share_context(found),
    }
    return layout.render_page(request, found, "dashboard/frame/share.html", context)


@page()
def download_print(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    """Redirect to the printable file."""
    layout.get_item(request, id)
    given = {
        name: request.GET.get(name, "") for name in ("kind", "design", "size", "call_to_action", "include_password")
    }
    return HttpResponse(status=303, headers={"Location": f"{PRINT_PATH}?{urlencode(_print_arguments(id, given))}"})


def _print_arguments(id: str, print_options: Mapping[str, str]) -> dict[str, str]:
    """Return arguments for svc_qr_print. Leave out empty ones, except `call_to_action`, which may be empty."""
    return {"thing": id, **{name: value for name, value in print_options.items() if value or name == "call_to_action"}}


@page()
def analytics(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    found = layout.get_item(request, id)
    if not found.public_url:  # it has no visits
        return redirect_full_page(request, f"{layout.home}/{id}")
    most = layout.product.history_days(request.account)
    days = visit_charts.parse_period_days(request, most)
    stats = _load_stats(request, layout, id, days)
    context = {
        "stats": stats,
        "most": most,
        "more_to_have": most < visit_charts.PERIOD_DAYS[-1],
        "visits": visit_charts.build_charts(stats, stats["by_day"], most),
        "figures": visit_charts.summarize_counts(stats["by_day"], stats.get("before"), layout.counts),
        **layout.results_context(stats),
        "charts": [(name, label) for name, label in layout.counts.items() if any(day[name] for day in stats["by_day"])],
    }
    return layout.render_page(request, found, "dashboard/frame/results.html", context)


def _load_stats(request: SignedInRequest, layout: ItemLayout, id: str, days: int) -> Any:
    if layout.stats is None:
        found = call_tool(request, overview_tools.get, thing=id, days=days)
        earlier = found["visits"].get("before")
        return {**found["thing"], **({} if earlier is None else {"before": {"views": earlier}})}
    return call_tool(request, layout.stats, days=days, **{layout.id: id})


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    found = layout.get_item(request, id)
    form = layout.edit_form(
        request,
        id,
        initial={
            **({"slug": found.slug} if layout.has_slug else {}),
            "expires_at": format_input_time(_format_iso(found.publication.expires_at), request.account.zone),
            **{name: getattr(found, name) for name in layout.settings},
            **layout.extra_initial(found),
        },
    )
    form.labels = {**LABELS, **form.labels}
    if answer := form.submit(request.caller):
        moved = "slug" in form.values and _get_slug(answer.data) not in ("", found.slug)
        saved = gettext("Settings saved. Printed QR codes keep working.") if moved else gettext("Settings saved.")
        return redirect_with_message(request, saved, request.path)
    context = {**layout.settings_context, "form": form, "fate": printed_codes_notice(found.public_url)}
    return layout.render_page(request, found, "dashboard/frame/settings.html", context, form.status)


def _get_slug(data: Any) -> str:
    return str(data.get("slug", "")) if isinstance(data, dict) else ""


def _format_iso(moment: Any) -> str | None:
    return moment.isoformat() if moment else None


@page("POST")
def set_state(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    """Turn an item on or off with the switch in the header."""
    on, switch = request.POST.get("on") == "yes", layout.switch
    found = layout.get_item(request, id)
    if on and (confirmation_path := switch.confirmation_path(found)):
        return redirect_full_page(request, f"{layout.home}/{id}/{confirmation_path}")
    given = {switch.argument: on}
    if on and found.publication.paused_at is not None and "live" in layout.edit.arguments.model_fields:
        given["live"] = True  # the switch controls both
    call_tool(request, layout.edit, **{layout.id: id, **given})
    word = switch.on if on else switch.off
    message = str(switch.messages[0 if on else 1]).format(business=request.account.name)
    back = get_return_url(request)
    return redirect_with_message(request, f"{word}. {message}", back if back != "/app" else f"{layout.home}/{id}")


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    """Render the guest page for the preview. A posted form is applied and then rolled back."""
    found = layout.get_item(request, id)
    if request.method == "POST":
        return guests_page.render_draft(request, found, layout.edit_form(request, id))
    return guests_page.render_preview(request, found)


@page("POST")
def remove_password(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    call_tool(request, layout.edit, **{layout.id: id, "password": ""})  # an empty text clears it
    return redirect_with_message(request, gettext("Password removed."), f"{layout.home}/{id}/settings")


@page("POST")
def duplicate(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    assert layout.copy is not None
    made = layout.copy.create_duplicate(request, layout.get_item(request, id))
    return redirect_with_message(
        request, gettext("Item duplicated. You are viewing the copy."), f"{layout.home}/{made}"
    )


def printed_codes_notice(url: str) -> str:
    """Describe what happens to printed QR codes."""
    return (
        gettext("Printed QR codes will show that the page is no longer available.")
        if url
        else gettext("Printed QR codes keep working.")
    )


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    found = layout.get_item(request, id)
    title = str(found)
    if request.method == "POST":
        call_tool(request, layout.delete, ids=[id])
        return redirect_with_message(
            request, gettext("“%(title)s” deleted. You can restore it for 30 days.") % {"title": title}, layout.home
        )
    sentences = (
        layout.deletion_text,
        printed_codes_notice(found.public_url),
        gettext("You can restore it for 30 days."),
    )
    return render_confirmation(
        request,
        title=gettext("Delete “%(title)s”?") % {"title": title},
        text=" ".join(str(sentence) for sentence in sentences if sentence),
        button=gettext("Delete"),
        back=f"{layout.home}/{id}/settings",
    )


def _choice_from_query(request: SignedInRequest, name: str, allowed: list[str], default: str = "") -> str:
    given = request.GET.get(name, default or allowed[0])
    return given if given in allowed else default or allowed[0]
