from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "workspace.publishing"
    label = "publishing"

    def ready(self) -> None:
        from workspace.accounts import choice, personal, references, roles
        from workspace.accounts.carrying.tables import carry
        from workspace.delivery import contacts, outbox
        from workspace.delivery.worker import every

        # closing registers itself
        from workspace.publishing import (  # noqa: F401
            closing,
            guest_links,
            housekeeping,
            rare_values,
            share_picture,
            suspending,
            taking_along,
            things,
        )
        from workspace.publishing.address_book_source import SOURCE
        from workspace.publishing.carried import CARRIED
        from workspace.publishing.models.binned import empty_bin
        from workspace.publishing.personal import TRAILS
        from workspace.storage import files

        # with the products that push events, whose times are the owner's, with which people leave themselves
        roles.go_along(choice.WEBHOOKS)
        roles.go_along(choice.CALENDARS)
        roles.go_along(choice.CONTACTS)
        files.keep(share_picture.PREFIX, share_picture.wanted)
        contacts.register(SOURCE)
        references.found_by(things.refer)
        personal.register(*TRAILS)
        carry(*CARRIED)
        outbox.register(suspending.KIND, suspending.Notifications)
        every(housekeeping.HOUR, housekeeping.forget)
        every(housekeeping.DAY, housekeeping.forget_figures)
        every(housekeeping.DAY, rare_values.fold)
        every(housekeeping.HOUR, guest_links.forget_ended)
        every(housekeeping.HOUR, empty_bin)
