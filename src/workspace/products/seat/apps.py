from django.apps import AppConfig


class SeatConfig(AppConfig):
    name = "workspace.products.seat"
    label = "seat"

    def ready(self) -> None:
        from workspace.delivery import jobs
        from workspace.products.seat import running

        jobs.job(
            running.JOB,
            title="Seating",
            noun="parts of a search",
            prepare=running.search,
            undo=running.stop,
            tell=running.told,
            chunk=1,
        )(running.keep)
