"""The operator's area."""

from __future__ import annotations

from django.urls import path

from workspace.interfaces.operator_pages import accounts, overview, reports, waiting

urlpatterns = [
    path("app/operator", overview.overview, name="operator"),
    path("app/operator/accounts", accounts.accounts, name="operator_accounts"),
    path("app/operator/accounts/<str:id>", accounts.account, name="operator_account"),
    path("app/operator/reports", reports.reports, name="operator_reports"),
    path("app/operator/reports/<int:id>", reports.act, name="operator_report"),
    path("app/operator/banned/<str:id>", reports.put_back, name="operator_banned"),
    path("app/operator/deliveries", waiting.deliveries, name="operator_deliveries"),
    path("app/operator/deliveries/retry", waiting.retry, name="operator_retry"),
    path("app/operator/jobs", waiting.jobs, name="operator_jobs"),
    path("app/operator/set-aside", waiting.set_aside, name="operator_set_aside"),
    path("app/operator/set-aside/retry", waiting.retry_set_aside, name="operator_retry_set_aside"),
    path("app/operator/mails", waiting.mails, name="operator_mails"),
]
