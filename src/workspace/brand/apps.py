from django.apps import AppConfig


class BrandConfig(AppConfig):
    name = "workspace.brand"
    label = "brand"

    def ready(self) -> None:
        from workspace.accounts import demo
        from workspace.accounts.privacy.data_subjects import Held, register
        from workspace.accounts.takeout.tables import carry
        from workspace.brand.demo import fill
        from workspace.brand.models import Brand
        from workspace.brand.takeout import CARRIED

        demo.register(fill)
        carry(CARRIED)

        register(
            Held(
                model=Brand,
                noun="brand",
                rows=lambda account: Brand.objects.filter(pk=account.pk),
                settle=lambda account, rows: Brand.touched_many(rows),
                page=lambda row: "/app/account/brand",
            )
        )
