from __future__ import annotations

import io

import pytest
from django.test import Client
from PIL import Image

from workspace.accounts.models import Upload
from workspace.storage.files.images import image_url, normalize_image
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db


def test_only_images_in_use_are_served_at_most_at_the_requested_width() -> None:
    out = io.BytesIO()
    Image.new("RGB", (1000, 500), "teal").save(out, "PNG")
    account = make_account()
    upload = Upload.create_image(account, normalize_image(out.getvalue()))
    address = image_url(upload.pk, 384)
    assert Client().get(address).status_code == 404, "nothing uses it yet"
    Upload.claim(account, upload.pk, "photo")
    response = Client().get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "image/jpeg")
    assert Image.open(io.BytesIO(response.content)).size == (384, 192)
    assert "immutable" in response["Cache-Control"]
    assert Client().get(address.replace("384", "385")).status_code == 404
    upload.release()
    assert Client().get(address).status_code == 404
