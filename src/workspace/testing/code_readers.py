"""Two QR code readers that do not depend on the code under test."""

import cv2
import numpy as np
import zxingcpp

from workspace.qr_symbols.png import render_png

TEXT = "HTTPS://GO.EXAMPLE.COM/Q/K7M2PXA"


def to_gray_pixels(picture: bytes) -> np.ndarray:
    """Return a PNG as grayscale pixels, on a white background."""
    image: np.ndarray | None = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_UNCHANGED)
    assert image is not None
    if image.shape[2] == 4:
        alpha = image[..., 3:] / 255
        image = (image[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
    grey: np.ndarray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return grey


def read_with_zxing(image: np.ndarray) -> list[str]:
    return [code.text for code in zxingcpp.read_barcodes(image, try_invert=False)]


def read_with_opencv(image: np.ndarray) -> list[str]:
    return [cv2.QRCodeDetector().detectAndDecode(image)[0]]


def read_with_each_reader(drawing: str, width: int) -> dict[str, list[str]]:
    image = to_gray_pixels(render_png(drawing, width))
    return {"zxing": read_with_zxing(image), "opencv": read_with_opencv(image)}
