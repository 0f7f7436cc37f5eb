"""The slug in a publication's row always equals that of its newest address."""

from __future__ import annotations

from workspace.publishing.models import Publication
from workspace.testing.api import Api
from workspace.testing.publications import publish


def _newest(publication: Publication) -> str:
    return publication.addresses.order_by("-pk")[0].slug


def _is_known(slug: str) -> None:
    [publication] = Publication.objects.all()
    assert publication.slug == _newest(publication) == slug


def test_slug_follows_moves_undo_and_the_bin(api: Api) -> None:
    code = api.run("svc_qr_create", name="Tables", target_url="example.com")
    _is_known(code["slug"])
    moved = api.run("svc_qr_edit", id=code["id"], slug="summer")
    _is_known("summer")
    assert moved["slugs"] == ["summer", code["slug"]]
    back = api.run("svc_qr_edit", id=code["id"], slug=code["slug"])
    _is_known(code["slug"])
    api.run("svc_undo", change_id=back["change"]["id"])
    _is_known("summer")
    gone = api.run("svc_qr_delete", ids=[code["id"]])
    api.run("svc_undo", change_id=gone["change"]["id"])
    _is_known("summer")
    assert api.run("svc_qr_list")["items"][0]["slug"] == "summer"


def test_dry_run_and_taken_slug_do_not_change_it(api: Api) -> None:
    publish(kind="qr", slug="theirs").retire()
    code = api.run("svc_qr_create", name="Tables", target_url="example.com", dry_run=False)
    api.run("svc_qr_edit", id=code["id"], slug="summer", dry_run=True)
    api.refuse("svc_qr_edit", id=code["id"], slug="theirs")
    assert api.run("svc_qr_get", id=code["id"])["slug"] == code["slug"]
