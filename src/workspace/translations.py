"""Extracting and compiling message catalogs without gettext's programs: `bin/messages`.

Each package and product with a `locale` folder has its catalogs there, `LANGUAGE/LC_MESSAGES/django.po`, with the
compiled ones next to them. A new machine therefore needs no build step. Messages are marked with gettext's functions in
Python, and with `{% translate %}` and `{% blocktranslate %}` in templates.
"""

from __future__ import annotations

import functools
import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from workspace.lib.languages import GUEST_LANGUAGES

_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[a-z]|\{\w*\}")
ROOT = Path(__file__).resolve().parent
KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
    "guest_message": None,
    "guest_plural_message": (1, 2),
}
# owners' pages: their texts are not in the guests' catalogs (in other Python files, owners' texts use `owner_gettext`)
OWNER_PATHS = (
    "**/owner/**",
    "dashboard/**",
    "templates/429.html",
    "templates/account/**",
    "templates/account_pages/*.html",
    "templates/account_pages/brand/**",
    "templates/mfa/**",
    "templates/oauth/**",
    "templates/sign_in/**",
    "templates/usersessions/**",
    "templates/operator_pages/**",
    "templates/dashboard/**",
)


def locale_folders() -> list[Path]:
    """Return all `locale` folders of this project."""
    return sorted(ROOT.rglob("locale"))


def translated_languages() -> list[str]:
    """Return the languages of guest pages other than English, the language of the sources."""
    return [code for code in GUEST_LANGUAGES if code != settings.LANGUAGE_CODE]


def extract_template(source: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """Extract a template's messages for Babel from the Python code that Django generates for it line by line."""
    lines = templatize(source.read().decode()).splitlines()
    plain = "\n".join(line.strip() for line in lines)
    yield from extract_python(io.BytesIO(plain.encode()), keywords, comment_tags, {"encoding": "utf-8"})


@functools.cache
def extract_catalog(folder: Path) -> Catalog:
    """Return the marked messages of the package that contains a `locale` folder."""
    package = folder.parent
    ignored = [(pattern, "ignore") for pattern in ("**/tests/**", *OWNER_PATHS)]
    methods = [*ignored, ("**.py", "python"), ("**/templates/**.*", f"{__name__}:extract_template")]
    found = Catalog()
    # a nested package with its own catalogs is excluded
    inner = [other.parent for other in locale_folders() if other != folder and package in other.parents]
    for name, _line, message, comments, context in extract_from_dir(
        package, methods, keywords=KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    ):
        if not any(one in (package / name).parents for one in inner):
            found.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    return found


def update_catalog(folder: Path, language: str) -> Catalog:
    """Return an updated catalog with exactly the messages that are currently marked."""
    kept = _load_catalog(folder, language)
    kept.update(extract_catalog(folder), no_fuzzy_matching=True)
    kept.obsolete.clear()
    return kept


def dump_catalog(catalogue: Catalog) -> bytes:
    """Return the sorted catalog as file content, without line numbers and dates that would change it."""
    out = io.BytesIO()
    write_po(out, catalogue, width=120, sort_output=True, omit_header=True, include_lineno=False)
    head = f'msgid ""\nmsgstr ""\n"Language: {catalogue.locale}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    head += f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    return (head + out.getvalue().decode().strip() + "\n").encode()


def compile_catalog(folder: Path, language: str) -> bytes:
    """Return the catalog's complete messages in the compiled format."""
    out = io.BytesIO()
    catalogue = _load_catalog(folder, language)
    # the same messages always give the same bytes
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    write_mo(out, catalogue)
    return out.getvalue()


def find_untranslated(catalogue: Catalog) -> list[str]:
    """Return the messages that have no translation or whose translation lacks a placeholder."""
    return [str(message.id) for message in catalogue if message.id and not _is_complete(message)]


def catalog_path(folder: Path, language: str) -> Path:
    return folder / language / "LC_MESSAGES" / "django.po"


def _load_catalog(folder: Path, language: str) -> Catalog:
    path = catalog_path(folder, language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _is_complete(message: Message) -> bool:
    """Return whether every form is translated, and all forms together have the placeholders of the message."""
    forms = _message_forms(message.string)
    return all(forms) and _placeholders(*forms) == _placeholders(*_message_forms(message.id))


def _placeholders(*forms: str) -> set[str]:
    return set(_PLACEHOLDER.findall(" ".join(forms)))


def _message_forms(string: Any) -> tuple[str, ...]:
    return tuple(string) if isinstance(string, (tuple, list)) else (string,)


def main(command: str) -> int:
    """Run `extract`, which updates the catalogs, or `compile`.

    Both compile the catalogs and list untranslated messages.
    """
    left = 0
    for folder in locale_folders():
        for language in translated_languages():
            path = catalog_path(folder, language)
            if command == "extract":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(dump_catalog(update_catalog(folder, language)))
            path.with_suffix(".mo").write_bytes(compile_catalog(folder, language))
            for text in find_untranslated(_load_catalog(folder, language)):
                left += 1
                sys.stdout.write(f"{path.relative_to(ROOT)}: not translated: {text}\n")
    return 1 if left else 0


if __name__ == "__main__":
    import django

    django.setup()
    if sys.argv[1:] not in (["extract"], ["compile"]):
        sys.exit("bin/messages extract | compile")
    sys.exit(main(sys.argv[1]))
