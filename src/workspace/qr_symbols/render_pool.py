"""The queue for rendering in subprocesses: large images of codes, sheets and posters."""

from workspace.lib.subprocess_worker.pool import SubprocessPool

# 4096 pixels per side need 64 MB, and a sheet of 500 codes needs 100 MB.
render_pool = SubprocessPool(0.25, megabytes=400, seconds=20)
