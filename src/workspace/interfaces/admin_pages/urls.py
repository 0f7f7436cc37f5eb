"""URLs of the administrator's pages."""

from __future__ import annotations

from django.urls import path

from workspace.interfaces.admin_pages import account_views, overview_views, queue_views, report_views

urlpatterns = [
    path("app/operator", overview_views.overview, name="operator"),
    path("app/operator/accounts", account_views.accounts, name="operator_accounts"),
    path("app/operator/accounts/<str:id>", account_views.account, name="operator_account"),
    path("app/operator/reports", report_views.reports, name="operator_reports"),
    path("app/operator/reports/<int:id>", report_views.handle_action, name="operator_report"),
    path("app/operator/banned/<str:id>", report_views.restore_address, name="operator_banned"),
    path("app/operator/deliveries", queue_views.deliveries, name="operator_deliveries"),
    path("app/operator/deliveries/retry", queue_views.retry_deliveries, name="operator_retry"),
    path("app/operator/jobs", queue_views.jobs, name="operator_jobs"),
    path("app/operator/set-aside", queue_views.set_aside_rows, name="operator_set_aside"),
    path("app/operator/set-aside/retry", queue_views.retry_set_aside, name="operator_retry_set_aside"),
    path("app/operator/mails", queue_views.inbound_mails, name="operator_mails"),
]
