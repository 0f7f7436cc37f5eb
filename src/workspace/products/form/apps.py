"""Django app configuration of forms."""

from django.apps import AppConfig


class FormConfig(AppConfig):
    name = "workspace.products.form"
    label = "form"

    def ready(self) -> None:
        from workspace.delivery.outbox import worker
        from workspace.products.form.domain import closing_notices, response_export, submissions  # noqa: F401  # a kind of job
        from workspace.products.form.models import GuestFile
        from workspace.products.form.models.file import FILE_ID_PREFIX
        from workspace.storage.files import store

        worker.every(600, closing_notices.notify_ended)
        worker.every(3600, submissions.delete_unsent, name="form.delete_unsent_responses")
        worker.every(3600, GuestFile.delete_waiting, name="form.delete_unsent_files")
        store.register_prefix(
            f"{FILE_ID_PREFIX}_", lambda keys: GuestFile.objects.filter(pk__in=keys).values_list("pk", flat=True)
        )
