from django.apps import AppConfig


class BidConfig(AppConfig):
    name = "workspace.products.bid"
    label = "bid"

    def ready(self) -> None:
        from workspace.delivery import outbox, worker
        from workspace.products.bid import papers, reminding
        from workspace.products.bid.models import Decision
        from workspace.publishing import verifying
        from workspace.storage import files

        verifying.register(by_hash=papers.kept_by_hash, by_record=papers.kept_by_record)
        outbox.register(papers.LATER, papers.Seals)
        outbox.register(reminding.LATER, reminding.Reminders)
        worker.every(900, reminding.look_for_bounces)
        files.keep(
            f"{papers.PREFIX}_",
            lambda keys: Decision.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
