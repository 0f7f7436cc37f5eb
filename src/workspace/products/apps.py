"""Registration of each product with the packages below."""

from django.apps import AppConfig


class ProductsConfig(AppConfig):
    """The app that registers each product with the packages below."""

    name = "workspace.products"
    label = "products"

    def ready(self) -> None:
        from workspace.accounts import demo, permissions, plans, product_scope
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import register_tables
        from workspace.dashboard import navigation
        from workspace.dashboard.navigation import NavItem
        from workspace.delivery import notifications, webhooks
        from workspace.insights import search
        from workspace.payments import purposes
        from workspace.products import list_manifests
        from workspace.public_site import fast_path
        from workspace.publishing import items, live_blocks

        for place, product in enumerate(list_manifests(), start=1):
            plans.register_product(
                plans.Product(product.key, product.title, product.summary, product.public_prefix, dict(product.plans))
            )
            navigation.register_product_item(
                NavItem(
                    product.page_title,
                    product.home,
                    product.icon,
                    place * 10,
                    product=product.key,
                    summary=product.format_summary,
                    short=product.short,
                    group=product.group,
                    trades=product.trades,
                    tab_places=product.tab_places,
                    first_task=product.first_task,
                    about=product.summary,
                    words=product.search_words,
                    commands=product.commands,
                )
            )
            items.register(product)
            search.register(product)
            data_subjects.register_personal_data(*product.privacy)
            register_tables(*product.takeout)
            for kind in product.notifications:
                notifications.register_kind(kind)
            for purpose in product.payments:
                purposes.register(purpose)
                permissions.register_area(product_scope.PAYMENTS, product.key)
            for event in product.events:
                webhooks.register_event(event)
                permissions.register_area(product_scope.WEBHOOKS, product.key)
            if product.submissions:
                permissions.register_area(product_scope.CONTACTS, product.key)
            if product.uses_calendar:
                permissions.register_area(product_scope.CALENDARS, product.key)
            if product.live_block is not None:
                live_blocks.register(product.key, product.live_block[0], product.models[0], product.live_block[1])
            if product.on_live_block_change is not None:
                live_blocks.add_listener(product.on_live_block_change)
            fast_path.register_route(product.public_prefix, product.key, product.fast_redirect)
        # products that others link to or show are filled first
        last_first = list_manifests()[::-1]
        for product in sorted(last_first, key=lambda product: product.on_live_block_change is not None):
            demo.register_filler(product.demo)
