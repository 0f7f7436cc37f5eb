"""`svc completion SHELL`: printing a script that completes commands, flags and choices in a shell."""

from __future__ import annotations

import click

from svc.output import write_stdout

SETUP_LINES = {
    "bash": 'eval "$(svc completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(svc completion zsh)" in ~/.zshrc, after compinit',
    "fish": "svc completion fish | source in ~/.config/fish/config.fish",
}


@click.command("completion", epilog="\b\n" + "\n".join(f"{shell}: {line}" for shell, line in SETUP_LINES.items()))
@click.argument("shell", type=click.Choice(list(SETUP_LINES)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a shell script that completes commands, flags and choices. Load it in your shell's startup file."""
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"No completion is available for {shell}.", ctx)
    write_stdout(completion(ctx.find_root().command, {}, "svc", "_SVC_COMPLETE").source())
