"""A run of the solver: its snapshot, and the best seating so far."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.delivery.models import Job
from workspace.lib.ids import new_id
from workspace.products.seat.models.chart import Chart


def _run_id() -> str:
    return new_id("run")


class SolverRun(models.Model):
    """A run of the solver.

    `version` is the chart's version when it was read. `state` is the state from which the next part continues. `moves`
    is the best result so far, as in a Step. `score` is its score, and `initial_score` the score before the search.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_run_id, editable=False)
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="seating")
    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="solver_runs")
    version = models.PositiveIntegerField(default=0)
    options: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    state: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    moves: models.JSONField[list[list[str]], list[list[str]]] = models.JSONField(default=list)
    score = models.FloatField(null=True)
    initial_score = models.FloatField(null=True)
    max_score = models.FloatField(null=True)  # upper bound of the score
    first_found_seconds = models.FloatField(null=True)  # seconds until the first valid seating was found
    has_solution = models.BooleanField(default=False)  # whether a valid seating was found
    is_optimal = models.BooleanField(default=False)  # whether no better seating exists

    def __str__(self) -> str:
        return self.job_id
