"""The entry point, which runs the command tree and exits with a code that reports the outcome."""

from __future__ import annotations

import sys

INTERRUPTED_EXIT_CODE = 130


def main() -> None:
    """Run `svc` and exit: 0 ok, 1 failed, 2 usage, 3 not authorized, 4 rate limited, 130 interrupted."""
    try:
        sys.exit(_run())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED_EXIT_CODE)


def _run() -> int:
    import click

    from svc.root_group import RootGroup

    try:
        answer = RootGroup().main(prog_name="svc", standalone_mode=False)
    except click.Abort:
        click.echo("Stopped.", err=True)
        return INTERRUPTED_EXIT_CODE
    except click.ClickException as failure:
        failure.show()
        return failure.exit_code
    except OSError as problem:
        click.echo(f"Error: {problem.strerror or problem}", err=True)
        return 1
    # click returns the code of a command that ended early (--help, a partly failed import).
    return answer if isinstance(answer, int) else 0


if __name__ == "__main__":
    main()
