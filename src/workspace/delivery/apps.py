"""Django app configuration of the package delivery."""

from django.apps import AppConfig


class DeliveryConfig(AppConfig):
    name = "workspace.delivery"
    label = "delivery"

    def ready(self) -> None:
        from django.db import transaction

        from workspace.accounts import connected_sources
        from workspace.accounts.account_deletion import register_deletion_hook
        from workspace.accounts.models import Account, IdempotentCall, OAuthClient, OAuthRefreshToken, Upload
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import register_tables
        from workspace.delivery import audit_trail_emails, mail, notifications, outbox, webhooks
        from workspace.delivery.address_books import connection as contacts_connecting
        from workspace.delivery.address_books import sync_state as contacts_sync_state
        from workspace.delivery.calendars import connection, event_push
        from workspace.delivery.calendars import sync_state as calendars_sync_state
        from workspace.delivery.mail import health
        from workspace.delivery.mail.smtp import EmailChannel, recheck_server
        from workspace.delivery.models import Delivery, Job, Message
        from workspace.delivery.outbox import worker
        from workspace.delivery.privacy import PERSONAL_DATA
        from workspace.delivery.takeout import TAKEOUT_TABLES
        from workspace.storage import shared_cache
        from workspace.storage.database.health_probe import database_probe
        from workspace.storage.database.transactions import write_transaction
        from workspace.storage.files import store
        from workspace.storage.models import SetAside

        def mail_in_a_line() -> str | None:
            found = health.current_outage()
            return found.summary if found else None

        def forget_old_calls() -> None:
            with write_transaction():
                IdempotentCall.delete_old()

        def forget_mail(account: Account) -> None:
            Delivery.objects.filter(account=account).delete()

        def delete_all(keys: list[str]) -> None:
            for key in keys:
                store.delete(key)

        def forget_job_files(account: Account) -> None:
            keys = [job.file_key for job in account.jobs.exclude(file_name="")]
            transaction.on_commit(lambda: delete_all(keys))

        database_probe.add_detail("mail", mail_in_a_line)
        data_subjects.register_personal_data(*PERSONAL_DATA)
        register_tables(*TAKEOUT_TABLES)
        register_deletion_hook(forget_mail)
        register_deletion_hook(forget_job_files)
        outbox.register_channel(mail.KIND, EmailChannel)
        outbox.register_external(webhooks.KIND, webhooks.wake_event)
        store.register_prefix("job_", lambda keys: Job.objects.filter(pk__in=keys).values_list("pk", flat=True))
        worker.every(3600, Delivery.blank_old_content, name="delivery.blank_old_deliveries")
        worker.every(300, recheck_server, name="delivery.probe_mail_server")
        worker.every(3600, Job.delete_old)
        worker.every(60, notifications.send_suppressed_summary)
        worker.every(3600, Message.delete_old, name="delivery.delete_old_messages")
        notifications.register_kind(audit_trail_emails.CHAIN_END_NOTIFICATION)
        notifications.register_kind(calendars_sync_state.SYNC_NOTIFICATION)
        notifications.register_kind(contacts_sync_state.SYNC_NOTIFICATION)
        connected_sources.register_source("calendar", connection.is_connected)
        connected_sources.register_source("contacts", contacts_connecting.is_connected)
        worker.every(3600, event_push.delete_old, name="delivery.delete_old_event_copies")
        worker.every(6 * 3600, audit_trail_emails.send_chain_ends)
        # registered here because accounts are below the worker
        worker.every(3600, forget_old_calls, name="accounts.delete_old_calls")
        worker.every(3600, store.purge_orphans, name="storage.delete_leftover_files")
        worker.every(3600, shared_cache.delete_expired, name="storage.delete_ended_cache_entries")
        worker.every(24 * 3600, SetAside.delete_expired, name="storage.delete_old_failures")
        worker.every(3600, Upload.delete_expired)
        worker.every(3600, OAuthRefreshToken.delete_old, name="accounts.delete_old_refresh_tokens")
        worker.every(3600, OAuthClient.delete_unused, name="accounts.delete_unused_oauth_clients")
