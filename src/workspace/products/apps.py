from django.apps import AppConfig


class ProductsConfig(AppConfig):
    """Tells the rooms below of every product."""

    name = "workspace.products"
    label = "products"

    def ready(self) -> None:
        from workspace.accounts import demo, permissions, plans, tool_scope
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import carry
        from workspace.dashboard import navigation
        from workspace.dashboard.navigation import NavItem
        from workspace.delivery import notifications, webhooks
        from workspace.insights import search
        from workspace.payments import purposes
        from workspace.products import manifests
        from workspace.public_site import fast_path
        from workspace.publishing import items, live_blocks

        for place, product in enumerate(manifests(), start=1):
            plans.register(plans.Product(product.key, product.title, product.about, product.path, dict(product.plans)))
            navigation.register(
                NavItem(
                    product.label or product.title,
                    product.home,
                    product.icon,
                    place * 10,
                    product=product.key,
                    summary=product.summed_up,
                    short=product.short,
                    group=product.group,
                    trades=product.trades,
                    first=product.first_step,
                    about=product.about,
                )
            )
            items.register(product)
            search.register(product)
            data_subjects.register(*product.personal)
            carry(*product.carried)
            for kind in product.news:
                notifications.register(kind)
            for purpose in product.payments:
                purposes.register(purpose)
                permissions.go_along(tool_scope.PAYMENTS, product.key)
            for event in product.events:
                webhooks.register(event)
                permissions.go_along(tool_scope.WEBHOOKS, product.key)
            if product.arrivals:
                permissions.go_along(tool_scope.CONTACTS, product.key)
            if product.takes_time:
                permissions.go_along(tool_scope.CALENDARS, product.key)
            if product.live is not None:
                live_blocks.register(product.key, product.live[0], product.things[0], product.live[1])
            if product.shows_live is not None:
                live_blocks.listen(product.shows_live)
            fast_path.serve(product.path, product.key, product.fast)
        # what others lead to and show is made first
        last_first = manifests()[::-1]
        for product in sorted(last_first, key=lambda product: product.shows_live is not None):
            demo.register(product.demo)
