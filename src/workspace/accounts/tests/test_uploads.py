"""Pictures that wait to be used, that are used, and that were replaced."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
import time_machine
from PIL import Image

from workspace.accounts.models import Upload, upload
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.storage.files import images
from workspace.storage.files.image_limits import WIDTHS
from workspace.storage.files.images import Picture, redraw
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db

DOT = Picture(b"a picture", "image/png", 1, 1)


def photo() -> Picture:
    out = io.BytesIO()
    Image.new("RGB", (1000, 500), "teal").save(out, "JPEG")
    return redraw(out.getvalue())


def test_replaced_pictures_do_not_wait_and_stay_for_their_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_WAITING", 3)
    account = make_account()
    replaced = []
    for _ in range(10):  # as a person who tries one picture after another
        kept = Upload.keep(account, DOT)
        Upload.claim(account, kept.pk, "photo").release()
        replaced.append(kept.pk)
    assert Upload.forget_unused() == 0
    assert account.uploads.filter(pk__in=replaced).count() == 10
    Upload.claim(account, replaced[0], "photo")  # and takes the first one again
    with time_machine.travel(clock.now() + timedelta(days=1, minutes=1)):
        assert Upload.forget_unused() == 9
    assert Upload.objects.get().content == b"a picture"


def test_pictures_that_nothing_has_used_wait_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_WAITING", 3)
    account = make_account()
    waiting = [Upload.keep(account, DOT) for _ in range(3)]
    with pytest.raises(ToolError, match="3 pictures are waiting"):
        Upload.keep(account, DOT)
    Upload.claim(account, waiting[0].pk, "photo")
    assert Upload.keep(account, DOT)


def test_an_upload_that_is_refused_leaves_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_WAITING", 0)
    written: list[str] = []
    keep = images.keep
    monkeypatch.setattr(images, "keep", lambda key, picture: (written.append(key), keep(key, picture)))
    with pytest.raises(ToolError):
        Upload.keep(make_account(), photo())
    [key] = written
    for width in (*WIDTHS, images.MAX_SIDE):
        with pytest.raises(FileNotFoundError):
            images.kept(key, width)


def test_a_picture_is_there_at_every_width_and_goes_with_all_of_them() -> None:
    kept = Upload.keep(make_account(), photo())
    widths = [Image.open(io.BytesIO(kept.at(width))).width for width in WIDTHS]
    assert widths == [min(width, 1000) for width in WIDTHS]
    assert Image.open(io.BytesIO(kept.content)).width == 1000
    with time_machine.travel(clock.now() + timedelta(days=2)):
        Upload.forget_unused()
    for width in WIDTHS:
        with pytest.raises(FileNotFoundError):
            kept.at(width)
