from django.apps import AppConfig


class SeatConfig(AppConfig):
    name = "workspace.products.seat"
    label = "seat"

    def ready(self) -> None:
        from workspace.delivery import jobs
        from workspace.products.seat.domain import solver_job

        jobs.job(
            solver_job.JOB,
            title="Seating",
            noun="parts of a search",
            prepare=solver_job.search,
            undo=solver_job.stop,
            tell=solver_job.told,
            chunk=1,
        )(solver_job.keep)
