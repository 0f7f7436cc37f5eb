"""Responses that look like spam because of their content."""

from __future__ import annotations

import pytest

from workspace.products.form.domain.spam import has_foreign_script

FORM = ["Your name", "What may we do for you?"]
RUSSIAN = "Предлагаем продвижение вашего сайта в поисковых системах"
CHINESE = "我们提供最好的搜索引擎优化服务请立即与我们联系获取更多信息谢谢"
GERMAN = "Wir hätten gern einen Tisch für acht Personen am Fenster"


@pytest.mark.parametrize(
    ("texts", "form", "accepted", "is_other"),
    [
        (["Ada", RUSSIAN], FORM, "de-DE,de;q=0.9,en;q=0.8", True),
        (["Ada", RUSSIAN], FORM, "", True),
        (["Ada", CHINESE], FORM, "en-US", True),
        (["Анна", RUSSIAN], FORM, "de, ru-RU;q=0.7", False),
        (["Анна", RUSSIAN], ["Ваше имя"], "en", False),
        (["Ada", CHINESE], FORM, "ja,en;q=0.5", False),
        (["Ада Иванова", GERMAN], FORM, "de", False),
        (["Анна Каренина Облонская"[:19]], FORM, "de", False),
        ([GERMAN, "Ça va très bien, merci", "Łódź"], FORM, "en", False),
        (["ሰላም ለዓለም ሁሉ ይሁን ለሁላችንም አሜን አሜን አሜን"], FORM, "en", False),
        ([], FORM, "", False),
        (["12345 678 !!! 🎂🎂🎂"], FORM, "", False),
    ],
)
def test_text_in_a_foreign_script_is_suspicious(
    texts: list[str], form: list[str], accepted: str, is_other: bool
) -> None:
    assert has_foreign_script(texts, form, accepted) is is_other
