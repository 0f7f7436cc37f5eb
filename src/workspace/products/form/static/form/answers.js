// One answer of a form, parsed and checked as on the server (answer_validation.py). testing/form_cases.json is run by
// both.
// Types that not every form has add their parsers when they are loaded (numbers.js, rare_fields.js).

export const FAMILIES = {
  short_text: "text", long_text: "text", email: "text", phone: "text", url: "text", address: "text", hidden: "text",
  number: "number", rating: "number", scale: "number", calculated: "number", date: "date", time: "time",
  yes_no: "yes_no", checkbox: "tick", consent: "tick", single_choice: "choice", dropdown: "choice",
  multi_choice: "multi", file: "files", signature: "signature", heading: "nothing", text: "nothing",
};
const LONGEST = {
  short_text: 500, long_text: 5000, email: 254, phone: 40, url: 2000, address: 1000, hidden: 500,
};
const WHITE = /^[ \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+|[ \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+$/g;
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu;
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_\x60{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
const PHONE = /^\+?[0-9 ()./-]{5,40}$/;
const URL_LIKE = /^https?:\/\/[^\s/?#@]+\.[^\s/?#@]+(?:[/?#]\S*)?$/i;

// ---- texts

export const trimmed = (text) => text.replace(WHITE, "");
export const fold = (text) => text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
export const length = (text) => [...text].length;

export function clean(given, lines) {
  if (given === null || given === undefined) return "";
  if (typeof given === "number") given = String(given);
  if (typeof given !== "string") return null;
  const text = given.replace(/\r\n?/g, "\n").replace(UNSEEN, "");
  return trimmed((lines ? text : text.replace(/\n/g, " ")).normalize("NFC"));
}

export const isFraction = (value) => typeof value === "object" && value !== null && "d" in value && typeof value.n === "bigint";

// ---- one answer: [value, error]

function readText(field, given) {
  let text = clean(given, field.type === "long_text" || field.type === "address");
  if (text === null) return [null, "invalid"];
  if (!text) return [null, ""];
  if (field.type === "url" && !text.includes("://")) text = `https://${text}`;
  if (length(text) > Math.min(field.max_length ?? Infinity, LONGEST[field.type])) return [text, "too_long"];
  if (length(text) < (field.min_length ?? 0)) return [text, "too_short"];
  const isWrong =
    (field.type === "email" && !EMAIL.test(text)) ||
    (field.type === "phone" && !(PHONE.test(text) && text.replace(/[^0-9]/g, "").length >= 5)) ||
    (field.type === "url" && !URL_LIKE.test(text)) ||
    (field.program && !READERS.program(field.program, text));
  return [text, isWrong ? "invalid" : ""];
}

function readYesNo(_field, given) {
  if (given === null || given === undefined || given === "") return [null, ""];
  if (typeof given === "boolean") return [given, ""];
  const word = typeof given === "string" ? fold(trimmed(given)) : "";
  if (["yes", "true", "1", "on"].includes(word)) return [true, ""];
  return ["no", "false", "0", "off"].includes(word) ? [false, ""] : [null, "invalid"];
}

function readTick(field, given) {
  const [found, code] = readYesNo(field, given);
  return [found || null, code];
}

export function readOne(field, given) {
  const isOther = typeof given === "object" && given !== null && !Array.isArray(given);
  const text = clean(isOther ? given.other : given, false);
  if (text === null || (isOther && !field.other)) return [null, "not_an_option"];
  if (!text) return [null, isOther ? "required" : ""];
  if (!isOther && (field.options || []).some((option) => option.value === text)) return [text, ""];
  if (!field.other) return [null, "not_an_option"];
  return [text, length(text) > 200 ? "too_long" : ""];
}

function readChoice(field, given) {
  if (!Array.isArray(given)) return readOne(field, given);
  return given.length > 1 ? [null, "too_many"] : readOne(field, given[0]);
}

export const READERS = { text: readText, yes_no: readYesNo, tick: readTick, choice: readChoice };
export const read = (field, given, today) => READERS[FAMILIES[field.type]](field, given, today);
