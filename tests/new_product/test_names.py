"""Names of new products: their spellings in files, and names that are refused."""

from __future__ import annotations

import pytest

from new_product.__main__ import main, parse_names
from new_product.names import InvalidNameError, Names
from new_product.product_writer import REGISTRY, ROOT
from new_product.skeleton_files import SKELETON_NAMES, rename, render_files
from new_product.taken_names import check_names
from workspace.translations import translated_languages

pytestmark = pytest.mark.any_database
TITLES = {"de": "Fotoalben", "es": "Álbumes", "fr": "Albums", "it": "Album", "pt": "Álbuns"}
ALBUMS = Names("albums", "Photo albums", "album of photos", TITLES)


@pytest.mark.parametrize(
    ("skeleton", "renamed"),
    [
        ("class NoticeBoard(PublishedItem)", "class AlbumOfPhotos(PublishedItem)"),
        ("def notice_boards_for(account)", "def photo_albums_for(account)"),
        ("NOTICE_BOARD_NOT_FOUND", "ALBUM_OF_PHOTOS_NOT_FOUND"),
        ("svc_pinboard_create /app/pinboard", "svc_albums_create /app/albums"),
        ("A notice board. Create a notice board.", "An album of photos. Create an album of photos."),
        ("def test_a_notice_board_is_created", "def test_an_album_of_photos_is_created"),
        ("Notice boards of an account: no notice boards", "Photo albums of an account: no photo albums"),
        ("Schwarze Bretter, Tablones de anuncios", "Fotoalben, Álbumes"),
    ],
)
def test_each_spelling_of_a_name_is_replaced(skeleton: str, renamed: str) -> None:
    assert rename(skeleton, ALBUMS) == renamed


def test_no_file_keeps_a_name_of_the_skeleton() -> None:
    for path, content in render_files(ALBUMS).items():
        text = f"{path} {content}".lower()
        assert "pinboard" not in text and "notice" not in text and "bretter" not in text, path


def test_the_skeleton_is_translated_to_every_language_of_guests() -> None:
    assert set(SKELETON_NAMES.translations) >= set(translated_languages())


def test_names_that_are_not_given_follow_from_the_first() -> None:
    assert parse_names(["boards"]) == Names(
        "boards", "Boards", "board", dict.fromkeys(SKELETON_NAMES.translations, "Boards")
    )


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (Names("card", "Cards", "card"), "“card” is taken by a product"),
        (Names("link", "Buttons", "button"), "“link” is taken by a product"),
        (Names("leads", "Leads", "lead"), "“leads” is taken by a tool"),
        (Names("brand", "Brands", "brand"), "“brand” is taken by"),
        (Names("login", "Logins", "login"), "“login” is taken by a command of svc"),
        (Names("lnk", "Buttons", "button"), "“lnk” is taken by a kind of ID"),
        (Names("pricing", "Price lists", "price list"), "“pricing” is taken by a page"),
        (Names("static", "Files", "file"), "“static” is taken by"),
        (Names("Boards", "Boards", "board"), "3 to 12 letters"),
        (Names("noticeboardsofall", "Boards", "board"), "3 to 12 letters"),
        (Names("boards", "boards", "board"), "the title has up to 20 letters"),
        (Names("boards", "Boards", "Board"), "up to 20 small letters"),
        (Names("boards", "Boards", "boards"), "the item in the singular"),
        (Names("exhibitions", "Photo exhibitions", "photo exhibition"), "more than 22 letters together"),
        (Names("classes", "Classes", "class"), "“class” has another meaning"),
        (Names("sites", "Pages", "page"), "“page” has another meaning"),
        (Names("gadgets", "Menus", "gadget"), "“menus” is an attribute of Account"),
    ],
)
def test_a_name_that_is_taken_or_malformed_is_refused(names: Names, message: str) -> None:
    with pytest.raises(InvalidNameError, match=message):
        check_names(names)


def test_a_good_name_is_accepted() -> None:
    check_names(ALBUMS)
    check_names(Names("boards", "Boards", "board"))


def test_a_refused_name_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    before = REGISTRY.read_text()
    assert main(["brand", "--title", "Brands"]) == 1
    assert "“brand” is taken" in capsys.readouterr().err
    assert REGISTRY.read_text() == before
    assert not (ROOT / "src/workspace/products/brand").exists()
