from django.urls import path

from workspace.publishing.reports import report

urlpatterns = [path("report/<slug:kind>/<slug:slug>", report, name="report")]
