"""A greeting in every script that documents support."""

from __future__ import annotations

GREETINGS = {
    "Latin": "Grüß dich, Łukasz Đặng",
    "Greek": "Καλημέρα κόσμε",
    "Cyrillic": "Привіт, світе",
    "Armenian": "Բարեւ աշխարհ",
    "Georgian": "გამარჯობა",
    "Hebrew": "שָׁלוֹם עולם",
    "Arabic": "السلام عليكم، ۱۲۳ پچگ",
    "Ethiopic": "ሰላም ልዑል",
    "Devanagari": "नमस्ते क्‍ष",
    "Bengali": "শুভ সকাল",
    "Gurmukhi": "ਸਤ ਸ੍ਰੀ ਅਕਾਲ",
    "Gujarati": "નમસ્તે",
    "Tamil": "வணக்கம்",
    "Telugu": "నమస్కారం",
    "Kannada": "ನಮಸ್ಕಾರ",
    "Malayalam": "നമസ്കാരം",
    "Sinhala": "ආයුබෝවන්",
    "Thai": "สวัสดีชาวโลก",
    "Lao": "ສະບາຍດີ",
    "Myanmar": "မင်္ဂလာပါ",
    "Khmer": "ជំរាបសួរ",
    "Han": "您好，世界",
    "kana": "こんにちはカフェ",
    "Hangul": "안녕하세요",
    "signs": "→ ✓ ★ € ₹ ₿ ½ ☐ 👩‍👩‍👧 👍🏽 🇦🇹 ❤️",
}
