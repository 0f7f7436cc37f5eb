// One answer of a form, read and checked as the server does (checking.py, patterns.py, numbers.py): tests/cases.json is
// run by both. Numbers are exact fractions of whole numbers of any size: {n, d}.

export const FAMILIES = {
  short_text: "text", long_text: "text", email: "text", phone: "text", url: "text", address: "text", hidden: "text",
  number: "number", rating: "number", scale: "number", calculated: "number", date: "date", time: "time",
  yes_no: "yes_no", checkbox: "tick", consent: "tick", single_choice: "choice", dropdown: "choice",
  multi_choice: "multi", file: "files", signature: "signature", heading: "nothing", text: "nothing",
};
const LONGEST = {
  short_text: 500, long_text: 5000, email: 254, phone: 40, url: 2000, address: 1000, hidden: 500,
};
const DIGITS = 15, LONGEST_PATTERN_TEXT = 200, LARGEST = 2n ** 1024n;
const WHITE = /^[ \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+|[ \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+$/g;
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu;
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
const PHONE = /^\+?[0-9 ()./-]{5,40}$/;
const URL_LIKE = /^https?:\/\/[^\s/?#@]+\.[^\s/?#@]+(?:[/?#]\S*)?$/i;
const TYPED = /^([+-]?)([0-9]{1,20})(?:([.,])([0-9]{1,20}))?$/;

// ---- numbers

const size = (number) => (number < 0n ? -number : number);
export function fraction(n, d = 1n) {
  if (d < 0n) [n, d] = [-n, -d];
  let [a, b] = [size(n), d];
  while (b) [a, b] = [b, a % b];
  return a > 1n ? { n: n / a, d: d / a } : { n, d };
}
export const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
export const compare = (a, b) => { const left = a.n * b.d, right = b.n * a.d; return left < right ? -1 : left > right ? 1 : 0; };
export const isSmall = (a) => size(a.n) < LARGEST && a.d < LARGEST;
export const isFraction = (value) => typeof value === "object" && value !== null && "d" in value && typeof value.n === "bigint";

export function numberOf(value) {
  if (typeof value === "number") value = String(value);
  if (typeof value !== "string" || value.length > 60) return null;
  const found = TYPED.exec(value.replace(WHITE, ""));
  if (!found || (found[3] === "," && found[4].length === 3)) return null;
  const whole = found[2].replace(/^0+/, ""), decimals = (found[4] || "").replace(/0+$/, "");
  if (whole.length + decimals.length > DIGITS) return null;
  const n = BigInt(found[2] + decimals);
  return fraction(found[1] === "-" ? -n : n, 10n ** BigInt(decimals.length));
}

export function textOf(value) {
  let decimals = 0, scale = 1n;
  while ((value.n * scale) % value.d !== 0n && decimals < 30) { decimals += 1; scale *= 10n; }
  const digits = String((size(value.n) * scale) / value.d).padStart(decimals + 1, "0");
  const text = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
  return value.n < 0n ? `-${text}` : text;
}

export function rounded(value, decimals) {
  const scale = 10n ** BigInt(decimals);
  const found = ((size(value.n) * scale * 2n + value.d) / value.d) / 2n;
  return fraction(value.n < 0n ? -found : found, scale);
}

export function fitsJson(value) {
  const [whole, decimals = ""] = textOf({ n: size(value.n), d: value.d }).split(".");
  return whole.replace(/^0+/, "").length + decimals.length <= DIGITS;
}

// ---- texts and patterns

const trimmed = (text) => text.replace(WHITE, "");
export const fold = (text) => text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
const length = (text) => [...text].length;

function clean(given, lines) {
  if (given === null || given === undefined) return "";
  if (typeof given === "number") given = String(given);
  if (typeof given !== "string") return null;
  const text = given.replace(/\r\n?/g, "\n").replace(UNSEEN, "");
  return trimmed((lines ? text : text.replace(/\n/g, " ")).normalize("NFC"));
}

function reach(program, starts) {
  const seen = new Set(), found = [], waiting = [...starts].reverse();
  while (waiting.length) {
    const at = waiting.pop();
    if (seen.has(at)) continue;
    seen.add(at);
    const step = program[at];
    if (step[0] === "or" || step[0] === "go") waiting.push(...step.slice(1)); else found.push(at);
  }
  return found;
}

export function fits(program, text) {
  if (length(text) > LONGEST_PATTERN_TEXT) return false;
  let now = reach(program, [0]);
  for (const char of text) {
    const point = char.codePointAt(0);
    const holdsHere = (step) => step[2].some(([low, high]) => low <= point && point <= high) !== step[1];
    now = reach(program, now.filter((at) => program[at][0] === "in" && holdsHere(program[at])).map((at) => at + 1));
  }
  return now.some((at) => program[at][0] === "end");
}

// ---- one answer: [what it says, what is wrong with it]

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
    (field.program && !fits(field.program, text));
  return [text, isWrong ? "invalid" : ""];
}

function readNumber(field, given) {
  if (given === null || given === undefined || (typeof given === "string" && !trimmed(given))) return [null, ""];
  const found = numberOf(given);
  if (!found) return [null, "invalid"];
  if (field.whole && found.d !== 1n) return [found, "invalid"];
  if (field.min !== undefined && compare(found, numberOf(field.min)) < 0) return [found, "too_small"];
  if (field.max !== undefined && compare(found, numberOf(field.max)) > 0) return [found, "too_large"];
  if (field.step !== undefined) {
    const start = numberOf(field.min ?? "0"), step = numberOf(field.step);
    const steps = times(plus(found, { n: -start.n, d: start.d }), { n: step.d, d: step.n });
    if (steps.d !== 1n) return [found, "invalid"];
  }
  return [found, ""];
}

function readYesNo(field, given) {
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

function isDay(text) {
  const found = /^([1-9][0-9]{3})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1).map(Number), date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function readMoment(field, given, today) {
  let text = clean(given, false);
  if (!text) return [null, text === "" ? "" : "invalid"];
  if (field.type === "date" ? !isDay(text) : !/^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$/.test(text)) {
    return [null, "invalid"];
  }
  if (field.type === "time") text = text.slice(0, 5);
  const [least, most] = [field.min, field.max].map((limit) => (limit === "today" ? today : limit));
  return [text, least && text < least ? "too_small" : most && text > most ? "too_large" : ""];
}

function readOne(field, given) {
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

function readMulti(field, given) {
  if (given === null || given === undefined || given === "") return [null, ""];
  const several = Array.isArray(given) ? given : [given], found = [];
  if (several.length > 100) return [null, "too_many"];
  for (const one of several) {
    const [text, code] = readOne(field, one);
    if (code) return [null, code];
    if (text !== null && !found.includes(text)) found.push(text);
  }
  if (!found.length) return [null, ""];
  const values = (field.options || []).map((option) => option.value);
  const place = (text) => (values.includes(text) ? values.indexOf(text) : values.length);
  found.sort((a, b) => place(a) - place(b));
  if (found.length < (field.min ?? 0)) return [found, "too_few"];
  return [found, found.length > (field.max ?? 100) ? "too_many" : ""];
}

function readFiles(field, given) {
  if (given === null || given === undefined || given === "") return [null, ""];
  const several = Array.isArray(given) ? given : [given];
  if (!several.every((one) => typeof one === "string" && one && one.length <= 60)) return [null, "invalid"];
  if (several.length > Math.min(field.max_files ?? 1, 10)) return [several, "too_many"];
  return [several.length ? several : null, ""];
}

function readSignature(field, given) {
  const told = typeof given === "object" && given !== null && !Array.isArray(given) ? given : { name: given };
  const name = clean(told.name, false), drawn = told.drawn || [];
  if (name === null || length(name) > 120 || !Array.isArray(drawn) || drawn.length > 200) return [null, "invalid"];
  const isPoint = (one) => Number.isInteger(one) && one >= 0 && one <= 1000;
  if (!drawn.every((stroke) => Array.isArray(stroke) && stroke.length % 2 === 0 && stroke.every(isPoint))) {
    return [null, "invalid"];
  }
  const points = drawn.reduce((sum, stroke) => sum + stroke.length, 0);
  if (points > 10000) return [null, "invalid"];
  if (!name && !points) return [null, ""];
  return [{ ...(name ? { name } : {}), ...(points ? { drawn } : {}) }, ""];
}

const READERS = {
  text: readText, number: readNumber, yes_no: readYesNo, tick: readTick, choice: readChoice, multi: readMulti,
  date: readMoment, time: readMoment, files: readFiles, signature: readSignature,
};
export const read = (field, given, today) => READERS[FAMILIES[field.type]](field, given, today);
