"""The queue of drawings that are made in child processes: large pictures of codes, sheets and posters."""

from workspace.lib.subprocess_worker.pool import SubprocessPool

# 4096 pixels a side are 64 MB, and a sheet of 500 codes takes 100.
render_pool = SubprocessPool(0.25, megabytes=400, seconds=20)
