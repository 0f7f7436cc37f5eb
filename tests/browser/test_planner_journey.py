"""A planner's way from a messy list of 120 guests to printed place cards, counted in clicks."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from tests.browser.pages import sign_in_by_link
from workspace.testing.service import Service

MAX_CLICKS = 12
FAMILIES = ("Martín", "López", "Gutiérrez", "Ramírez", "Fernández", "Molina", "Navarro", "Torres", "Gómez", "Díaz")
HEADINGS = (
    "Nombre y apellidos", "Familia / grupo", "Lado", "Acompañante", "Niños", "Dieta / alergias", "E-mail", "Confirmado",
)  # fmt: skip
FIRST_NAMES = ("Ana", "Luis", "Sofía", "Pablo", "Marta", "Javier", "Noa", "Iván", "Claudia", "Diego", "Elena", "Mario")
REPLIES = ("SI", "Sí", "pendiente", "No", "", "si")
DIETS = ("", "", "Vegetariana", "sin gluten", "", "alergia frutos secos", "VEGETARIANO", "")


class Clicks:
    """Counts what a person does with the pointer. Typing with Tab between fields is not a click."""

    def __init__(self) -> None:
        """Start at zero."""
        self.count = 0

    def click(self, target: Locator) -> None:
        """Click once."""
        self.count += 1
        target.click()

    def select_option(self, target: Locator, value: str) -> None:
        self.count += 2  # open the list, choose an option
        target.select_option(value)

    def upload(self, target: Locator, path: Path) -> None:
        self.count += 2  # the button, and the file in the system's window
        target.set_input_files(path)


def write_messy_list(path: Path) -> None:
    """Write 120 guests as couples do: Spanish headings in Windows-1252, stray spaces, and replies in many spellings."""
    text = io.StringIO()
    rows = csv.writer(text, delimiter=";")
    rows.writerow(HEADINGS)
    for number in range(120):
        family = FAMILIES[number % 10]
        party = "" if number % 3 == 2 else f"Familia {family} {number // 30 + 1}"
        rows.writerow(
            [
                f" {FIRST_NAMES[number % 12]} {family} {FAMILIES[(number // 10) % 10]} ",
                party,
                ("Novio", "novia ", "Trabajo")[number % 3],
                "+1" if number % 9 == 0 else "",
                "2" if number % 25 == 0 else "",
                DIETS[number % 8],
                f"guest{number}@correo.example" if number % 4 == 0 else "",
                REPLIES[number % 6],
            ]
        )
    path.write_bytes(text.getvalue().encode("cp1252"))


def test_a_messy_list_of_120_becomes_place_cards_in_twelve_clicks(
    service: Service, chromium: Browser, tmp_path: Path
) -> None:
    email = "planner-journey@example.com"
    service.account(email)
    service.operate("plan", "set", email, "seat", "pro")
    listed = tmp_path / "invitados.csv"
    write_messy_list(listed)
    context = chromium.new_context(viewport={"width": 1280, "height": 860}, accept_downloads=True)
    try:
        page = context.new_page()
        sign_in_by_link(page, next(word for word in service.operate("sign-in", email).split() if "http" in word))
        page.goto(f"{service.url}/app/seat")
        clicks = Clicks()
        _create_chart(page, clicks)
        _import_list(page, clicks, listed)
        _seat_everyone(page, clicks)
        names = _print_cards(page, clicks)
        assert len(names) > 110 and clicks.count <= MAX_CLICKS, clicks.count
    finally:
        context.close()


def _create_chart(page: Page, clicks: Clicks) -> None:
    clicks.click(page.locator("main").get_by_role("link", name="Create seating chart").first)
    page.get_by_label("Name").fill("Boda")
    page.get_by_label("Round tables").fill("18")
    page.get_by_label("Seats per table").fill("10")
    page.keyboard.press("Enter")
    expect(page.locator(".st-stage")).to_be_visible()


def _import_list(page: Page, clicks: Clicks, listed: Path) -> None:
    clicks.click(page.locator("#st-list").get_by_role("link", name="Import guests"))
    clicks.upload(page.get_by_label("CSV or Excel file"), listed)
    expect(page.get_by_role("button", name=re.compile(r"^Import \d+ guests$"))).to_be_visible()
    for column in page.locator("select[name^=column]:has(option:checked[value=''])").all():
        clicks.select_option(column, "skip")
    clicks.click(page.get_by_role("button", name=re.compile(r"^Import \d+ guests$")))
    expect(page.locator(".st-sum")).to_contain_text("invited")


def _seat_everyone(page: Page, clicks: Clicks) -> None:
    clicks.click(page.get_by_role("button", name="guests automatically"))
    clicks.click(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".st-column")).to_have_count(0)


def _print_cards(page: Page, clicks: Clicks) -> list[Any]:
    clicks.click(page.get_by_role("link", name="Print", exact=True))
    cards = page.locator(".st-paper", has=page.get_by_role("heading", name="Place cards"))
    with page.expect_download() as started:
        clicks.click(cards.get_by_role("button", name="Download PDF"))
    text = "\n".join(sheet.extract_text() for sheet in PdfReader(started.value.path()).pages)
    return [line for line in text.splitlines() if line.strip()]
