"""Uploads that are unused, in use or replaced."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
import time_machine
from PIL import Image

from workspace.accounts.models import Upload, upload
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage.files import images
from workspace.storage.files.image_limits import WIDTHS
from workspace.storage.files.images import ImageData, normalize_image
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db

DOT = ImageData(b"a picture", "image/png", 1, 1)


def photo() -> ImageData:
    out = io.BytesIO()
    Image.new("RGB", (1000, 500), "teal").save(out, "JPEG")
    return normalize_image(out.getvalue())


def test_replaced_images_are_stored_for_a_day_and_not_counted_as_unused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_UNUSED", 3)
    account = make_account()
    replaced = []
    for _ in range(10):  # like a person who tries one image after another
        kept = Upload.create_image(account, DOT)
        Upload.claim(account, kept.pk, "photo").release()
        replaced.append(kept.pk)
    assert Upload.delete_expired() == 0
    assert account.uploads.filter(pk__in=replaced).count() == 10
    Upload.claim(account, replaced[0], "photo")  # and chooses the first one again
    with time_machine.travel(clock.now() + timedelta(days=1, minutes=1)):
        assert Upload.delete_expired() == 9
    assert Upload.objects.get().content == b"a picture"


def test_the_number_of_unused_images_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_UNUSED", 3)
    account = make_account()
    waiting = [Upload.create_image(account, DOT) for _ in range(3)]
    with pytest.raises(OperationNotAllowedError, match="3 unused images"):
        Upload.create_image(account, DOT)
    Upload.claim(account, waiting[0].pk, "photo")
    assert Upload.create_image(account, DOT)


def test_a_rejected_upload_leaves_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_UNUSED", 0)
    written: list[str] = []
    keep = images.store_image
    monkeypatch.setattr(images, "store_image", lambda key, picture: (written.append(key), keep(key, picture)))
    with pytest.raises(OperationNotAllowedError):
        Upload.create_image(make_account(), photo())
    [key] = written
    for width in (*WIDTHS, images.MAX_SIDE):
        with pytest.raises(FileNotFoundError):
            images.load_image(key, width)


def test_an_image_has_all_widths_and_is_deleted_with_them() -> None:
    kept = Upload.create_image(make_account(), photo())
    widths = [Image.open(io.BytesIO(kept.content_at(width))).width for width in WIDTHS]
    assert widths == [min(width, 1000) for width in WIDTHS]
    assert Image.open(io.BytesIO(kept.content)).width == 1000
    with time_machine.travel(clock.now() + timedelta(days=2)):
        Upload.delete_expired()
    for width in WIDTHS:
        with pytest.raises(FileNotFoundError):
            kept.content_at(width)
