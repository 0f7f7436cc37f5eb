"""Django app configuration of seating charts."""

from django.apps import AppConfig


class SeatConfig(AppConfig):
    name = "workspace.products.seat"
    label = "seat"

    def ready(self) -> None:
        from workspace.delivery import jobs
        from workspace.owner_translation import owner_gettext_noop
        from workspace.products.seat.domain import solver_job

        jobs.job(
            solver_job.JOB_NAME,
            title=owner_gettext_noop("Auto-seating"),
            noun="search steps",
            prepare=solver_job.search_parts,
            undo=solver_job.undo_search,
            describe_result=solver_job.describe_progress,
            chunk=1,
        )(solver_job.save_part)
