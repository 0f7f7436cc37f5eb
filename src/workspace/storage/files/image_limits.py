"""Limits on the size of images, for the caller and for the subprocess that processes them."""

MEGAPIXELS = {"PNG": 24, "JPEG": 24, "GIF": 24, "WEBP": 12}  # the WebP library needs three canvases at the same time
MAX_SIDE = 2000
WIDTHS = (96, 192, 384, 768, 1536)
