"""The application that a server process runs: front door, connector and Django over one pool of threads."""

from __future__ import annotations

import os
import sys

from workspace.interfaces.http.asgi_types import ASGIApp, Metrics, Service


def application() -> ASGIApp:
    """Called once in each server process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    import django

    from workspace.storage import patience

    patience.serve()

    django.setup()
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler

    from workspace.delivery.calendars.lane import CalendarLane
    from workspace.delivery.contacts.lane import ContactLane
    from workspace.delivery.hook_lane import HookLane
    from workspace.delivery.job_lane import JobLane
    from workspace.delivery.worker import Worker
    from workspace.interfaces import strangers, unheard_proxies
    from workspace.interfaces.catalogue import CATALOGUE
    from workspace.interfaces.failures import refusal_page
    from workspace.interfaces.health import healthz, readyz
    from workspace.interfaces.http.application import build
    from workspace.interfaces.http.intake import Limits
    from workspace.interfaces.http.late import Late
    from workspace.interfaces.http.pool import Pool
    from workspace.interfaces.rest.paths import ahead
    from workspace.interfaces.warming import warm_up
    from workspace.payments.lane import PaymentLane
    from workspace.publishing.front_door import FrontDoor
    from workspace.publishing.visits import VisitWriter
    from workspace.storage.pulse import pulse
    from workspace.toolkit.child.running import Children

    warm_up()
    # a thread that only computes gives way sooner: the event loop needs the interpreter often, and each time briefly
    sys.setswitchinterval(0.0005)
    pool = Pool(settings.THREADS)
    Children.threads = settings.THREADS

    def connector() -> ASGIApp:
        from workspace.interfaces.mcp.application import build

        return build(CATALOGUE, pool)

    def metrics() -> Metrics | None:
        if not settings.METRICS_TOKEN:
            return None
        from workspace.interfaces.metrics import Prometheus

        return Prometheus(pool, settings.METRICS_TOKEN)

    services: list[Service] = [pulse, VisitWriter()]
    if settings.OUTBOX == "thread":
        services += [Worker(), JobLane(), HookLane(), CalendarLane(), ContactLane(), PaymentLane()]
        if settings.MAIL_IN:
            from workspace.support.listener import MailIn

            services.append(MailIn())
    return build(
        WSGIHandler(),
        pool=pool,
        mcp=Late(connector, pool),
        mcp_paths=("/mcp",),
        front=FrontDoor(pool),
        health={"/healthz": healthz, "/readyz": readyz},
        metrics=metrics(),
        services=services,
        trusted_proxies=settings.TRUSTED_PROXIES,
        tell_unheard=unheard_proxies.remember,
        page=refusal_page,
        limits=Limits(max_body=settings.MAX_BODY, largest=strangers.largest),
        stranger=strangers.refusal,
        ahead=ahead,
    )
