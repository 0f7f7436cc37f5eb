"""The demo menu in German and Spanish, keyed by its English texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LANGUAGES = ("de", "es")
TRANSLATIONS = {
    "All day long, from the first coffee to the last glass.": (
        "Den ganzen Tag, vom ersten Kaffee bis zum letzten Glas.",
        "Todo el día, del primer café a la última copa.",
    ),
    "Breakfast": ("Frühstück", "Desayuno"),
    "Morgenrot breakfast": ("Frühstück Morgenrot", "Desayuno Morgenrot"),
    "Butter croissant, soft-boiled egg, apricot jam, a small coffee": (
        "Buttercroissant, weiches Ei, Marillenmarmelade, ein kleiner Kaffee",
        "Cruasán de mantequilla, huevo pasado por agua, mermelada de albaricoque, un café pequeño",
    ),
    "Pancakes": ("Pfannkuchen", "Tortitas"),
    "Maple syrup, butter, blueberries": ("Ahornsirup, Butter, Heidelbeeren", "Sirope de arce, mantequilla, arándanos"),
    "Warm waffle": ("Warme Waffel", "Gofre caliente"),
    "Butter and strawberries": ("Butter und Erdbeeren", "Mantequilla y fresas"),
    "Avocado bread": ("Avocadobrot", "Pan con aguacate"),
    "Our sourdough, lemon, chilli": ("Unser Sauerteigbrot, Zitrone, Chili", "Nuestro pan de masa madre, limón, chile"),
    "Fried eggs in the pan": ("Spiegeleier in der Pfanne", "Huevos fritos en la sartén"),
    "Two eggs, chives, black bread": ("Zwei Eier, Schnittlauch, Schwarzbrot", "Dos huevos, cebollino, pan negro"),
    "Lunch of the day": ("Tagesteller", "Menú del día"),
    "With a small salad. Changes every week.": (
        "Mit kleinem Salat. Jede Woche neu.",
        "Con una ensalada pequeña. Cambia cada semana.",
    ),
    "Bean and carrot stew": ("Bohneneintopf mit Karotten", "Guiso de alubias y zanahoria"),
    "Slowly cooked, with bread": ("Langsam gekocht, mit Brot", "A fuego lento, con pan"),
    "Vegetable curry": ("Gemüsecurry", "Curry de verduras"),
    "Coconut milk, basmati rice": ("Kokosmilch, Basmatireis", "Leche de coco, arroz basmati"),
    "Small plates": ("Kleine Teller", "Para picar"),
    "Garden salad": ("Gartensalat", "Ensalada de la huerta"),
    "Leaves, tomatoes, olive oil": ("Blattsalate, Tomaten, Olivenöl", "Hojas verdes, tomates, aceite de oliva"),
    "Pretzel": ("Brezel", "Pretzel recién hecho"),
    "Fresh from the oven, with butter": ("Frisch aus dem Ofen, mit Butter", "Del horno, con mantequilla"),
    "Mountain cheese": ("Bergkäse", "Quesos de montaña"),
    "Three cheeses, grapes": ("Drei Sorten, Trauben", "Tres quesos, uvas"),
    "Falafel": ("Falafel", "Faláfel"),
    "Chickpeas, herbs, tahini": ("Kichererbsen, Kräuter, Tahina", "Garbanzos, hierbas, tahini"),
    "Club sandwich": ("Club-Sandwich", "Sándwich club"),
    "Ham, cheese, tomato, egg": ("Schinken, Käse, Tomate, Ei", "Jamón, queso, tomate, huevo"),
    "Mains": ("Hauptgerichte", "Platos principales"),
    "Morgenrot burger": ("Morgenrot-Burger", "Hamburguesa Morgenrot"),
    "Beef from the region, Alpine cheese, fries": (
        "Rind aus der Region, Almkäse, Pommes frites",
        "Ternera de la región, queso alpino, patatas fritas",
    ),
    "Bacon": ("Speck", "Beicon"),
    "Extra cheese": ("Extra Käse", "Queso extra"),
    "Spaghetti pomodoro": ("Spaghetti Pomodoro", "Espaguetis al pomodoro"),
    "San Marzano, basil, olives": ("San Marzano, Basilikum, Oliven", "San Marzano, albahaca, aceitunas"),
    "Paella": ("Gemüse-Paella", "Paella de verduras"),
    "Peppers, peas, saffron": ("Paprika, Erbsen, Safran", "Pimientos, guisantes, azafrán"),
    "For one": ("Für eine Person", "Para una persona"),
    "For two": ("Für zwei", "Para dos"),
    "Catch of the day": ("Fang des Tages", "Captura del día"),
    "Please ask us what came in": ("Fragen Sie uns, was gekommen ist", "Pregúntanos qué ha llegado"),
    "market price": ("Tagespreis", "según mercado"),
    "Stuffed flatbread": ("Gefülltes Fladenbrot", "Pan plano relleno"),
    "Chicken, lettuce, yoghurt sauce": ("Huhn, Salat, Joghurtsauce", "Pollo, lechuga, salsa de yogur"),
    "Cakes and sweets": ("Kuchen und Süßes", "Tartas y dulces"),
    "Strawberry cake": ("Erdbeertorte", "Tarta de fresas"),
    "Sponge, vanilla cream": ("Biskuit, Vanillecreme", "Bizcocho, crema de vainilla"),
    "Apple pie": ("Apfelkuchen", "Tarta de manzana"),
    "Warm, with cinnamon": ("Warm, mit Zimt", "Templada, con canela"),
    "Crème caramel": ("Karamellcreme", "Flan de caramelo"),
    "Chocolate doughnut": ("Schokoladen-Donut", "Dónut de chocolate"),
    "Glazed this morning": ("Heute früh glasiert", "Glaseado esta mañana"),
    "Ice cream": ("Eis", "Helado"),
    "Three scoops: vanilla, chocolate, strawberry": (
        "Drei Kugeln: Vanille, Schokolade, Erdbeere",
        "Tres bolas: vainilla, chocolate, fresa",
    ),
    "Drinks": ("Getränke", "Bebidas"),
    "Melange": ("Wiener Melange", "Café melange"),
    "Espresso, steamed milk, foam, a cookie": (
        "Espresso, heiße Milch, Schaum, ein Keks",
        "Espresso, leche caliente, espuma, una galleta",
    ),
    "Oat milk": ("Hafermilch", "Leche de avena"),
    "Extra shot": ("Doppelter Espresso", "Espresso doble"),
    "Pot of tea": ("Kännchen Tee", "Tetera"),
    "Assam, green or mountain herbs": ("Assam, Grüntee oder Bergkräuter", "Assam, verde o hierbas de montaña"),
    "Orange spritz": ("Orangen-Spritz", "Spritz de naranja"),
    "Prosecco, orange, lime": ("Prosecco, Orange, Limette", "Prosecco, naranja, lima"),
    "Zweigelt": ("Blauer Zweigelt", "Tinto Zweigelt"),
    "Red, Burgenland": ("Rotwein, Burgenland", "Vino tinto, Burgenland"),
    "Glass": ("Glas", "Copa"),
    "Bottle": ("Flasche", "Botella"),
    "Lager from the tap": ("Lager vom Fass", "Cerveza de barril"),
    "Half a litre": ("Ein halber Liter", "Medio litro"),
}


def translate_fields(fields: Mapping[str, Any], *names: str) -> dict[str, dict[str, str]]:
    """Return the translations of these fields of a section, a dish or a choice."""
    return {
        code: {name: TRANSLATIONS[fields[name]][place] for name in names if fields.get(name)}
        for place, code in enumerate(LANGUAGES)
    }
