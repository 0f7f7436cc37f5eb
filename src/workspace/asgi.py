"""The application that a server process runs: front door, connector and Django over one pool of threads."""

from __future__ import annotations

import os
import sys

from workspace.interfaces.server.asgi_types import ASGIApp, Metrics, Service


def application() -> ASGIApp:
    """Called once in each server process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    import django

    from workspace.storage.database import timeouts

    timeouts.serve()

    django.setup()
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler

    from workspace.analytics.visit_writer import VisitWriter
    from workspace.delivery.calendars.worker import CalendarLane
    from workspace.delivery.contacts.worker import ContactLane
    from workspace.delivery.jobs.worker import JobLane
    from workspace.delivery.outbox.worker import Worker
    from workspace.delivery.webhooks.worker import HookLane
    from workspace.interfaces import anonymous_limits, untrusted_proxies
    from workspace.interfaces.error_handlers import refusal_page
    from workspace.interfaces.health_views import healthz, readyz
    from workspace.interfaces.rest.middleware import ahead
    from workspace.interfaces.server.application import build
    from workspace.interfaces.server.lazy_app import Late
    from workspace.interfaces.server.request_reader import Limits
    from workspace.interfaces.server.thread_pool import Pool
    from workspace.interfaces.tool_catalog import CATALOGUE
    from workspace.interfaces.warmup import warm_up
    from workspace.lib.subprocess_worker.pool import Children
    from workspace.payments.worker import PaymentLane
    from workspace.public_site.fast_path import FrontDoor
    from workspace.storage.database.health_probe import pulse

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
            from workspace.support.smtp_worker import MailIn

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
        tell_unheard=untrusted_proxies.remember,
        page=refusal_page,
        limits=Limits(max_body=settings.MAX_BODY, largest=anonymous_limits.largest),
        stranger=anonymous_limits.refusal,
        ahead=ahead,
    )
