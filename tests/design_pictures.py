"""Renders the gallery of certificate designs into the product's static files.

Run it after changing a design.

.venv/bin/python -m tests.design_pictures
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from workspace.products.certs.domain import print_data
from workspace.products.certs.domain.print_data import DESIGNS, CertificateDesign, CertificateTexts, Signer

INTO = Path(print_data.__file__).parents[1] / "static" / "certs" / "designs"
WIDTH, SCALE = 420, 3


def main() -> None:
    from workspace.documents.typesetter import render_page_image

    one = CertificateTexts(
        "Ada Lovelace", "https://example.com/v/7KQ2", "7KQ2-M9XD-4TBP-0ZRA", {"course": "Tides and Currents"}, []
    )
    INTO.mkdir(exist_ok=True)
    for design in DESIGNS:
        look = CertificateDesign(
            title="Certificate of Completion",
            organization="Harbour School",
            intro="This is to certify that",
            body="has completed the course {course}.",
            signers=[Signer("Marta Holm", "Head"), Signer("Ben Okafor", "Examiner")],
            design=design,
            colors=["#17604b"],
            seal="none" if design == "minimal" else "rosette",
        )
        points = print_data.page_width_points(look)
        png = render_page_image(
            print_data.LAYOUT_PATH, print_data.build_print_data(look, one), width=WIDTH * SCALE, points=points
        )
        image = Image.open(BytesIO(png)).convert("RGB")
        image = image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)
        image.save(INTO / f"{design}.webp", quality=82, method=6)


if __name__ == "__main__":
    import django

    django.setup()
    main()
