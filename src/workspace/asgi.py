"""The ASGI application of a server process: fast path, MCP and Django share one thread pool."""

from __future__ import annotations

import logging
import os
import sys

from workspace.interfaces.server.asgi_types import ASGIApp, Metrics, Service


def application() -> ASGIApp:
    """Build the application. Call it once per server process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    import django

    from workspace.storage.database import timeouts

    timeouts.mark_as_server()

    django.setup()
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler

    from workspace.analytics.visit_writer import VisitWriter
    from workspace.delivery.address_books.worker import ContactWorker
    from workspace.delivery.calendars.worker import CalendarWorker
    from workspace.delivery.jobs.worker import JobWorker
    from workspace.delivery.outbox.worker import OutboxWorker
    from workspace.delivery.webhooks.worker import WebhookWorker
    from workspace.interfaces import anonymous_body_limits, untrusted_proxy_records
    from workspace.interfaces.error_handlers import error_page
    from workspace.interfaces.health_views import healthz, readyz
    from workspace.interfaces.rest.direct_routing import find_direct_handler
    from workspace.interfaces.server.application import build_application
    from workspace.interfaces.server.lazy_app import LazyApp
    from workspace.interfaces.server.request_reader import Limits
    from workspace.interfaces.server.thread_pool import Pool
    from workspace.interfaces.tool_catalog import CATALOG
    from workspace.interfaces.warmup import warm_up
    from workspace.lib.subprocess_worker.pool import SubprocessPool
    from workspace.payments.worker import PaymentWorker
    from workspace.public_site.fast_path import FastPath
    from workspace.storage.database.former_database import FormerDatabaseError, check_database
    from workspace.storage.database.health_probe import database_probe

    try:
        check_database()
    except FormerDatabaseError as error:
        logging.getLogger("workspace.server").critical("%s", error)
        raise SystemExit(1) from None
    warm_up()
    # makes threads with long computations yield sooner, because the event loop often needs the interpreter briefly
    sys.setswitchinterval(0.0005)
    pool = Pool(settings.THREADS)
    SubprocessPool.threads = settings.THREADS

    def connector() -> ASGIApp:
        from workspace.interfaces.mcp.application import build_application

        return build_application(CATALOG, pool)

    def metrics() -> Metrics | None:
        if not settings.METRICS_TOKEN:
            return None
        from workspace.interfaces.metrics import PrometheusMetrics

        return PrometheusMetrics(pool, settings.METRICS_TOKEN)

    services: list[Service] = [database_probe, VisitWriter()]
    if settings.BACKGROUND_WORKER == "thread":
        services += [OutboxWorker(), JobWorker(), WebhookWorker(), CalendarWorker(), ContactWorker(), PaymentWorker()]
        if settings.MAIL_IN:
            from workspace.support.smtp_worker import SmtpWorker

            services.append(SmtpWorker())
    return build_application(
        WSGIHandler(),
        pool=pool,
        mcp=LazyApp(connector, pool),
        mcp_paths=("/mcp",),
        fast_path=FastPath(pool),
        health={"/healthz": healthz, "/readyz": readyz},
        metrics=metrics(),
        services=services,
        trusted_proxies=settings.TRUSTED_PROXIES,
        report_untrusted=untrusted_proxy_records.record_network,
        render_error_page=error_page,
        limits=Limits(max_body=settings.MAX_BODY, max_body_for=anonymous_body_limits.max_body_size),
        is_anonymous=anonymous_body_limits.find_rejection,
        find_direct_handler=find_direct_handler,
    )
