"""Django app configuration of the package brand."""

from django.apps import AppConfig


class BrandConfig(AppConfig):
    name = "workspace.brand"
    label = "brand"

    def ready(self) -> None:
        from workspace.accounts import demo
        from workspace.accounts.privacy.data_subjects import PersonalTable, register_personal_data
        from workspace.accounts.takeout.tables import register_tables
        from workspace.brand.demo import fill_account
        from workspace.brand.models import Brand
        from workspace.brand.takeout import TAKEOUT_TABLE

        demo.register_filler(fill_account)
        register_tables(TAKEOUT_TABLE)

        register_personal_data(
            PersonalTable(
                model=Brand,
                noun="brand",
                rows=lambda account: Brand.objects.filter(pk=account.pk),
                after_erase=lambda account, rows: Brand.mark_many_changed(rows),
                page_url=lambda row: "/app/account/brand",
            )
        )
