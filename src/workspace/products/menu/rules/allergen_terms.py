"""Names of the 14 allergens and the diets on menus, in English, German, Spanish and Portuguese."""

from __future__ import annotations

import re

from workspace.lib.text import search_key
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.publishing.diets import DIETS

_ALLERGEN_WORDS = {
    "gluten": "gluten, cereals containing gluten, cereals with gluten, cereals, wheat, glutenhaltiges "
    "getreide, getreide, weizen, cereales con gluten, cereales que contienen gluten, cereales, trigo, cereais com "
    "glúten, cereais que contêm glúten, cereais que contenham glúten, cereais, glúten, roggen, gerste, hafer, "
    "dinkel, rye, barley, oats, spelt",
    "crustaceans": "crustacean, shellfish, shrimp, prawns, krebstiere, krebstieren, krebse, "
    "krustentiere, crustáceo, crustáceos, marisco, mariscos",
    "eggs": "egg, ei, eier, eiern, huevo, huevos, ovo, ovos",
    "fish": "fisch, pescado, peixe, peixes",
    "peanuts": "peanut, erdnuss, erdnüsse, erdnüssen, cacahuete, cacahuetes, cacahuate, maní, amendoim, amendoins",
    "soy": "soya, soybean, soybeans, soja, sojabohnen, grãos de soja, granos de soja",
    "milk": "dairy, lactose, milch, milch und laktose, milchprodukte, laktose, leche, lácteos, lactosa, "
    "productos lácteos, leite, lacticínios, laticínios",
    "nuts": "nut, tree nuts, almonds, hazelnuts, walnuts, schalenfrüchte, nüsse, nüssen, nuss, mandeln, "
    "haselnüsse, walnüsse, frutos de cáscara, frutos secos, frutos con cáscara, nueces, nuez, almendras, "
    "avellanas, frutos de casca rija, frutos de casca, nozes, amêndoa, amêndoas, avelãs",
    "celery": "sellerie, apio, aipo",
    "mustard": "senf, mostaza, mostarda",
    "sesame": "sesame seeds, sesam, sesamsamen, sésamo, granos de sésamo, sementes de sésamo, ajonjolí",
    "sulphites": "sulfites, sulphite, sulfite, sulphur dioxide, sulfur dioxide, sulphur dioxide and "
    "sulphites, sulfit, schwefeldioxid, schwefeldioxid und sulfite, geschwefelt, sulfitos, dióxido de azufre, "
    "dióxido de azufre y sulfitos, dióxido de enxofre, dióxido de enxofre e sulfitos",
    "lupin": "lupins, lupine, lupinen, altramuz, altramuces, tremoço, tremoços",
    "molluscs": "mollusc, mollusks, mollusk, weichtiere, weichtieren, molusco, moluscos",
}
_DIET_WORDS = {
    "vegetarian": "veg, veggie, vegetarisch, vegetariano, vegetariana, vegetarianos, végétarien",
    "vegan": "vegano, vegana, veganer, veganes, vegane",
    "gluten_free": "gluten free, glutenfrei, sin gluten, sem glúten, sans gluten",
    "lactose_free": "lactose free, laktosefrei, sin lactosa, sem lactose",
    "dairy_free": "dairy free, milchfrei, sin leche, sem leite",
    "nut_free": "nut free, nussfrei, sin frutos secos, sem frutos secos",
    "halal": "",
    "kosher": "koscher",
}
# codes after a dish; V is read as vegetarian, which vegan dishes are, too
DIET_CODES = {
    "V": "vegetarian", "VEG": "vegetarian", "VGT": "vegetarian", "VG": "vegan", "VE": "vegan", "VGN": "vegan",
    "GF": "gluten_free", "SG": "gluten_free", "LF": "lactose_free", "DF": "dairy_free", "NF": "nut_free",
}  # fmt: skip
# additives, which are not allergens
_ADDITIVES = re.compile(
    r"farbstoff|konserv|antioxid|geschmacksverst|geschwarzt|gewachst|phosphat|sussung|phenylalanin|koffein|coffein|chinin|"
    r"taurin|colorante|corante|conservante|antioxidante|edulcorante|potenciador|cafein|quinin|colou?ring|preservative|"
    r"sweetener|caffein|flavou?r enhancer|scharf|picante|spicy|\bhot\b"
)


def _index_names(names_by_key: dict[str, str], names: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {
        normalize_name(name): key
        for key, words in names_by_key.items()
        for name in (*names.get(key, ()), *words.split(", "))
        if name.strip()
    }


def normalize_name(text: str) -> str:
    """Normalize a name for comparison. It is folded and has single spaces between words."""
    return " ".join(re.findall(r"[^\W_]+", search_key(text)))


ALLERGEN_NAMES = _index_names(
    _ALLERGEN_WORDS, {key: (key, allergen.english_name) for key, allergen in ALLERGENS.items()}
)
DIET_NAMES = _index_names(
    {key: _DIET_WORDS.get(key, "") for key in DIETS}, {key: (key, diet.english_name) for key, diet in DIETS.items()}
)
_MAX_NAME_WORDS = max(len(name.split()) for name in ALLERGEN_NAMES)


def find_allergens(text: str) -> list[str]:
    """Return the allergens named in the text, in order. The longest names, such as `frutos secos`, match first."""
    words, results, start = normalize_name(text[:400]).split(), [], 0
    while start < len(words):
        for size in range(min(_MAX_NAME_WORDS, len(words) - start), 0, -1):
            if key := ALLERGEN_NAMES.get(" ".join(words[start : start + size])):
                results.append(key)
                start += size - 1
                break
        start += 1
    return list(dict.fromkeys(results))


def find_diet(text: str) -> str:
    """Return the diet if the text names a diet and nothing else, or an empty string."""
    return DIET_NAMES.get(normalize_name(text[:60]), "")


def is_additive(text: str) -> bool:
    return bool(_ADDITIVES.search(search_key(text[:200])))
