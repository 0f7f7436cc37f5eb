"""The pages that all published things have alike: Share, Results, Settings; switching, looking at, deleting one. Each
is called with the frame of its product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from django.http import HttpResponse

from workspace.dashboard import previews as guests_page
from workspace.dashboard import visit_charts
from workspace.dashboard.embed_code import snippets
from workspace.dashboard.item_presenters import PRINT, SIZES, ask, done, input_time
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.dashboard.undo_views import back_of
from workspace.insights import overview_tools
from workspace.publishing.call_to_action import CALL, call_of, language_of

if TYPE_CHECKING:
    from workspace.dashboard.item_layout import Frame

LABELS = {"slug": "Address", "expires_at": "Shown until", "password": "Password"}
KINDS = (("poster", "Poster"), ("tent", "Table tent"))
PAPERS = (("a6", "A6, a small card"), ("a5", "A5, a table"), ("a4", "A4, a wall"), ("letter", "Letter, a wall"))
DESIGNS = ("classic", "soft", "ink", "ocean", "bistro", "midnight")


@page()
def share(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    found = frame.find(request, id)
    url, title = found.public_url, str(found)
    usual = call_of(getattr(found, "call", CALL), language_of(request.account))
    wishes = {
        "kind": _one_of(request, "kind", [name for name, _ in KINDS]),
        "design": _one_of(request, "design", ["", *DESIGNS]),
        "size": _one_of(request, "size", [name for name, _ in PAPERS], "a5"),
        "call": request.GET.get("call", usual)[:80],
    }
    # of what holds one, such as the code of a Wi-Fi
    wishes |= {"with_password": "true"} if "with_password" in request.GET else {}
    context = {
        "mail": f"mailto:?subject={quote(title)}&body={quote(url)}",
        "whatsapp": f"https://wa.me/?{urlencode({'text': url})}",
        "sizes": SIZES,
        "kinds": KINDS,
        "papers": PAPERS,
        "designs": [(name, f"{PRINT}?{urlencode({'thing': id, 'design': name, 'format': 'svg'})}") for name in DESIGNS],
        "wishes": wishes,
        "print_seen": f"{PRINT}?{urlencode({**_printing(id, wishes), 'format': 'png'})}",
        "print_url": PRINT,
        "snippets": snippets(request.account, found, found.call if frame.website else "")
        if frame.website is not None
        else [],
        **frame.share_of(found),
    }
    return frame.drawn(request, found, "dashboard/frame/share.html", context)


@page()
def paper(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    """On to the file."""
    frame.find(request, id)
    given = {name: request.GET.get(name, "") for name in ("kind", "design", "size", "call", "with_password")}
    return HttpResponse(status=303, headers={"Location": f"{PRINT}?{urlencode(_printing(id, given))}"})


def _printing(id: str, wishes: Mapping[str, str]) -> dict[str, str]:
    """Arguments of svc_qr_print: what is empty is left out, but for the call, which may be none."""
    return {"thing": id, **{name: value for name, value in wishes.items() if value or name == "call"}}


@page()
def results(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    found = frame.find(request, id)
    if not found.public_url:  # nobody comes by us
        return redirect_whole(request, f"{frame.home}/{id}")
    most = frame.product.history(request.account)
    days = visit_charts.asked_days(request, most)
    stats = _stats(request, frame, id, days)
    context = {
        "stats": stats,
        "most": most,
        "more_to_have": most < visit_charts.RANGES[-1],
        "visits": visit_charts.charts(stats, stats["by_day"], most),
        "figures": visit_charts.figures(stats["by_day"], stats.get("before"), frame.counts),
        **frame.drawn_of(stats),
        "charts": [(name, label) for name, label in frame.counts.items() if any(day[name] for day in stats["by_day"])],
    }
    return frame.drawn(request, found, "dashboard/frame/results.html", context)


def _stats(request: SignedInRequest, frame: Frame, id: str, days: int) -> Any:
    if frame.stats is None:
        found = call(request, overview_tools.get, thing=id, days=days)
        earlier = found["visits"].get("before")
        return {**found["thing"], **({} if earlier is None else {"before": {"views": earlier}})}
    return call(request, frame.stats, days=days, **{frame.id: id})


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    found = frame.find(request, id)
    form = frame.form(
        request,
        id,
        initial={
            **({"slug": found.slug} if frame.has_slug else {}),
            "expires_at": input_time(_iso(found.publication.expires_at), request.account.zone),
            **{name: getattr(found, name) for name in frame.settings},
            **frame.settings_of(found),
        },
    )
    form.labels = {**LABELS, **form.labels}
    if answer := form.submit(request.caller):
        moved = "slug" in form.values and _slug_of(answer.data) not in ("", found.slug)
        more = " What is printed goes on working." if moved else ""
        return done(request, f"Saved.{more}", request.path)
    context = {**frame.settings_with, "form": form, "fate": fate(found.public_url)}
    return frame.drawn(request, found, "dashboard/frame/settings.html", context, form.status)


def _slug_of(data: Any) -> str:
    return str(data.get("slug", "")) if isinstance(data, dict) else ""


def _iso(moment: Any) -> str | None:
    return moment.isoformat() if moment else None


@page("POST")
def state(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    """Switch it, as the switch in the header does."""
    on, switch = request.POST.get("on") == "yes", frame.switch
    found = frame.find(request, id)
    if on and (asked := switch.asks(found)):
        return redirect_whole(request, f"{frame.home}/{id}/{asked}")
    given = {switch.argument: on}
    if on and found.publication.paused_at is not None and "live" in frame.edit.arguments.model_fields:
        given["live"] = True  # one switch decides about both
    call(request, frame.edit, **{frame.id: id, **given})
    word = switch.on if on else switch.off
    told = switch.told[0 if on else 1].format(business=request.account.name)
    back = back_of(request)
    return done(request, f"{word}. {told}", back if back != "/app" else f"{frame.home}/{id}")


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    """The guests' page; what is posted is tried on it and undone."""
    found = frame.find(request, id)
    if request.method == "POST":
        return guests_page.drafted(request, found, frame.form(request, id))
    return guests_page.shown(request, found)


@page("POST")
def unlock(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    call(request, frame.edit, **{frame.id: id, "password": ""})  # an empty text clears it
    return done(request, "Guests are not asked for a password any more.", f"{frame.home}/{id}/settings")


@page("POST")
def duplicate(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    assert frame.copy is not None
    made = frame.copy.make(request, frame.find(request, id))
    return done(request, "Duplicated. This is the copy.", f"{frame.home}/{made}")


def fate(url: str) -> str:
    """What becomes of printed codes."""
    return "Printed codes will say that it is gone." if url else "Printed ones go on working: they do not need us."


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    found = frame.find(request, id)
    title = str(found)
    if request.method == "POST":
        call(request, frame.delete, ids=[id])
        return done(request, f"“{title}” is in the bin. For 30 days it can be brought back.", frame.home)
    return ask(
        request,
        title=f"Delete “{title}”?",
        text=" ".join(filter(None, (frame.gone, fate(found.public_url), "For 30 days it can be brought back."))),
        button=f"Delete this {frame.word}",
        back=f"{frame.home}/{id}/settings",
    )


def _one_of(request: SignedInRequest, name: str, allowed: list[str], usual: str = "") -> str:
    given = request.GET.get(name, usual or allowed[0])
    return given if given in allowed else usual or allowed[0]
