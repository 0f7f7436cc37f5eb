"""A search for a seating: what it began from, and the best that it has found so far."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.delivery.models import Job
from workspace.lib.ids import new_id
from workspace.products.seat.models.chart import Chart


def _run_id() -> str:
    return new_id("run")


class SolverRun(models.Model):
    """`version` is the chart's as the search read it. `state` is what the search goes on with after each part,
    `moves` the best so far, as in a Step; `score` is what that comes to, `initial_score` what the chart did."""

    id = models.CharField(primary_key=True, max_length=40, default=_run_id, editable=False)
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="seating")
    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="solver_runs")
    version = models.PositiveIntegerField(default=0)
    options: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    state: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    moves: models.JSONField[list[list[str]], list[list[str]]] = models.JSONField(default=list)
    score = models.FloatField(null=True)
    initial_score = models.FloatField(null=True)
    max_score = models.FloatField(null=True)  # no seating is worth more
    first_found_seconds = models.FloatField(null=True)  # seconds until one was found that may be used
    has_solution = models.BooleanField(default=False)  # whether there is one that may be used
    is_optimal = models.BooleanField(default=False)  # whether there is no better one

    def __str__(self) -> str:
        return self.job_id
