"""The command `bin/new-product`."""

from __future__ import annotations

import argparse
import sys

import django

from new_product.names import InvalidNameError, Names
from new_product.product_writer import ROOT, StepFailedError, write_product
from new_product.skeleton_files import SKELETON_NAMES

DECISIONS = """
{title} run now: {count} files, registered in products/__init__.py.

    .venv/bin/pytest src/workspace/products/{product} tests/across -k {product}
    bin/serve     # http://127.0.0.1:8000/app/{product}

Decide next (docs/adding-a-product.md says how):
- manifest.py: the summary, plans and prices, the group and the icon (publishing/icons.py)
- models.py, api/arguments.py, api/serializers.py: the fields that replace or follow title and text
- templates/{product}/page.html and static/{product}/page.css: what guests see
- hooks/demo.py: example data, of which bin/pictures takes the landing page's picture
- support/articles/{product}/: the help article
"""
TRANSLATE = "- locale/{language}: the title in this language (it is “{title}” now), then bin/messages compile"


def main(arguments: list[str]) -> int:
    """Write a new product. Return the exit status."""
    names = parse_names(arguments)
    django.setup()
    from new_product.taken_names import check_names  # noqa: PLC0415 - needs Django to be set up

    try:
        check_names(names)
        files = write_product(names)
    except (InvalidNameError, StepFailedError) as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(f"{path.relative_to(ROOT)}" for path in files))
    print(DECISIONS.format(title=names.title, count=len(files), product=names.product).rstrip())
    for language, title in names.translations.items():
        if title == names.title:
            print(TRANSLATE.format(language=language, title=title))
    return 0


def parse_names(arguments: list[str]) -> Names:
    """Return the names given in the command's arguments, with defaults for the others."""
    parser = argparse.ArgumentParser(
        "bin/new-product", description="Write a new product that runs: a page with a title and a text."
    )
    parser.add_argument("name", help="name of the folder, tools and paths: 3 to 12 letters a-z, such as boards")
    parser.add_argument("--title", help="name for people, in the plural: “Notice boards”. Default: the name")
    parser.add_argument("--item", help="name of one item in a sentence: “notice board”. Default: the name without -s")
    for language in SKELETON_NAMES.translations:
        parser.add_argument(f"--{language}", metavar="TITLE", help=f"the title in the language “{language}”")
    given = parser.parse_args(arguments)
    title = given.title or given.name.capitalize()
    translations = {language: getattr(given, language) or title for language in SKELETON_NAMES.translations}
    return Names(given.name, title, given.item or given.name.removesuffix("s"), translations)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
