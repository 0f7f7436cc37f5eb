from django.apps import AppConfig


class FormConfig(AppConfig):
    name = "workspace.products.form"
    label = "form"

    def ready(self) -> None:
        from workspace.delivery import worker
        from workspace.products.form import ending, exporting, submitting  # noqa: F401  # a kind of job
        from workspace.products.form.models import GuestFile
        from workspace.products.form.models.file import PREFIX
        from workspace.storage import files

        worker.every(600, ending.tell_over)
        worker.every(3600, submitting.forget_begun, name="form.delete_unsent_responses")
        worker.every(3600, GuestFile.forget_waiting, name="form.delete_unsent_files")
        files.keep(f"{PREFIX}_", lambda keys: GuestFile.objects.filter(pk__in=keys).values_list("pk", flat=True))
