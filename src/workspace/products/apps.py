from django.apps import AppConfig


class ProductsConfig(AppConfig):
    """Tells the rooms below of every product."""

    name = "workspace.products"
    label = "products"

    def ready(self) -> None:
        from workspace.accounts import choice, demo, personal, plans, roles
        from workspace.accounts.carrying.tables import carry
        from workspace.dashboard import navigation
        from workspace.dashboard.navigation import NavItem
        from workspace.delivery import news, webhooks
        from workspace.payments import purposes
        from workspace.products import manifests
        from workspace.publishing import front_door, live_blocks, search, things

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
            things.register(product)
            search.register(product)
            personal.register(*product.personal)
            carry(*product.carried)
            for kind in product.news:
                news.register(kind)
            for purpose in product.payments:
                purposes.register(purpose)
                roles.go_along(choice.PAYMENTS, product.key)
            for event in product.events:
                webhooks.register(event)
                roles.go_along(choice.WEBHOOKS, product.key)
            if product.arrivals:
                roles.go_along(choice.CONTACTS, product.key)
            if product.takes_time:
                roles.go_along(choice.CALENDARS, product.key)
            if product.live is not None:
                live_blocks.register(product.key, product.live[0], product.things[0], product.live[1])
            if product.shows_live is not None:
                live_blocks.listen(product.shows_live)
            front_door.serve(product.path, product.key, product.fast)
        # what others lead to and show is made first
        last_first = manifests()[::-1]
        for product in sorted(last_first, key=lambda product: product.shows_live is not None):
            demo.register(product.demo)
