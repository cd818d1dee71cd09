"""The command line: `meldlog`. Every command imports what it needs when it is asked for, and nothing before."""


def main() -> None:
    """Run the command that the arguments name; the process ends with its exit status."""
    from meldlog_service.cli.program import program

    program(prog_name="meldlog")
