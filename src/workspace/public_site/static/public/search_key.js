// Text in the form in which searches compare it, with the same table as lib/text.py: fold("Großmann Yılmaz") is
// "grossmann yilmaz".
(() => {
  const ALIKE = {
    "ß": "ss", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ς": "σ",
    "\u0629": "\u0647", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0640": "",
    "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "",
  };
  const letters = new RegExp(`[${Object.keys(ALIKE).join("")}]`, "gu");
  const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));
  function digit(char) {
    const code = char.codePointAt(0);
    let zero = code;
    while (isDigit(zero - 1)) zero--;
    return String((code - zero) % 10);
  }
  function fold(text) {
    const plain = text.toLowerCase().normalize("NFKD").replace(/\u0345/g, "ι").replace(/\p{M}/gu, "").replace(letters, (char) => ALIKE[char]);
    const folded = plain.replace(/[^\P{Nd}0-9]/gu, digit);
    return folded === text ? folded : fold(folded);
  }
  window.fold = fold;
})();
