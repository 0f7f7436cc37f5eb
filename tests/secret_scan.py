"""Search for secrets in the files of the repository, by the patterns of detect-secrets.

It uses the plugins for keys of known services, for private keys, and for passwords in URLs. It does not use those that
guess by entropy or variable names, because every test has invented passwords and keys.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.ip_public import IPPublicDetector

ROOT = Path(__file__).resolve().parent.parent
# passwords in example URLs such as https://user:password@example.com
EXAMPLES = {"p", "pass", "password", "pw", "word", "…", "hunter2"}
# pictures, fonts, archives and other binary files
BINARY = {".mo", ".png", ".ttf", ".webp", ".woff2", ".xz"}


def find_secrets(names: list[str]) -> Iterator[str]:
    """Yield a line for each secret, with its file but without the secret."""
    kinds = get_mapping_from_secret_type_to_class().values()
    plugins = [kind() for kind in kinds if issubclass(kind, RegexBasedDetector) and kind is not IPPublicDetector]
    for name in names:
        path = ROOT / name
        if path.suffix in BINARY or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        for plugin in plugins:
            for secret in set(plugin.analyze_string(text)) - EXAMPLES:
                line = text[: text.index(secret)].count("\n") + 1
                yield f"{name}:{line}: {plugin.secret_type}"


def list_files() -> list[str]:
    """Return the names of the files that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


if __name__ == "__main__":
    found = list(find_secrets(sys.argv[1:] or list_files()))
    print("\n".join(found))
    sys.exit(1 if found else 0)
