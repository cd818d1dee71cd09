"""`python -m meldlog_bench`, which is what `make bench` runs."""

from meldlog_bench.program import command

command(prog_name="python -m meldlog_bench")
