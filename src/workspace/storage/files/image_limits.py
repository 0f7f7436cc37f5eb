"""How large a picture may be, and is kept: for who asks, and for the child process that draws it anew."""

MEGAPIXELS = {"PNG": 24, "JPEG": 24, "GIF": 24, "WEBP": 12}  # WebP's library holds three canvases at once
MAX_SIDE = 2000
WIDTHS = (96, 192, 384, 768, 1536)
