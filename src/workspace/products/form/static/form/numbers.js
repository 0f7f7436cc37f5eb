// Exact numbers in a form: fractions of whole numbers of any size, {n, d}, as in numbers.py and evaluation.py. It is
// loaded if a form has numbers or calculations.

import { READERS, isFraction, trimmed } from "./answers.js";

const DIGITS = 15, LARGEST = 2n ** 1024n;
const TYPED = /^([+-]?)([0-9]{1,20})(?:([.,])([0-9]{1,20}))?$/;

const size = (number) => (number < 0n ? -number : number);
export function fraction(n, d = 1n) {
  if (d < 0n) [n, d] = [-n, -d];
  let [a, b] = [size(n), d];
  while (b) [a, b] = [b, a % b];
  return a > 1n ? { n: n / a, d: d / a } : { n, d };
}
// @ts-expect-error - tsc treats products of bigint as numbers
export const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
// @ts-expect-error - tsc treats products of bigint as numbers
export const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
export const compare = (a, b) => { const left = a.n * b.d, right = b.n * a.d; return left < right ? -1 : left > right ? 1 : 0; };
export const isSmall = (a) => size(a.n) < LARGEST && a.d < LARGEST;

export function numberOf(value) {
  if (typeof value === "number") value = String(value);
  if (typeof value !== "string" || value.length > 60) return null;
  const found = TYPED.exec(trimmed(value));
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
  // @ts-expect-error - tsc treats products of bigint as numbers
  const found = ((size(value.n) * scale * 2n + value.d) / value.d) / 2n;
  return fraction(value.n < 0n ? -found : found, scale);
}

export function fitsJson(value) {
  const [whole, decimals = ""] = textOf({ n: size(value.n), d: value.d }).split(".");
  return whole.replace(/^0+/, "").length + decimals.length <= DIGITS;
}

// ---- formulas

const list = (value) => (Array.isArray(value) ? value : [value]);

function numberIn(value, scores) {
  if (value === null || value === undefined) return { n: 0n, d: 1n };
  if (isFraction(value)) return value;
  if (typeof value === "boolean") return { n: value ? 1n : 0n, d: 1n };
  return list(value)
    .filter((one) => typeof one === "string" && Object.hasOwn(scores, one))
    .reduce((sum, one) => plus(sum, numberOf(scores[one])), { n: 0n, d: 1n });
}

export function countOut(tree, values, scores) {
  if (tree[0] === "num") return numberOf(tree[1]);
  if (tree[0] === "ref") return numberIn(values.get(tree[1]), scores[tree[1]] || {});
  const parts = tree.slice(1).filter(Array.isArray).map((part) => countOut(part, values, scores));
  if (parts.includes(null)) return null;
  let total = parts[0];
  if (tree[0] === "neg") total = { n: -total.n, d: total.d };
  else if (tree[0] === "inv") {
    if (!total.n) return null;
    total = fraction(total.d, total.n);
  } else if (tree[0] === "round") total = rounded(total, tree[2]);
  else {
    for (const part of parts.slice(1)) {
      if (tree[0] === "min") total = compare(part, total) < 0 ? part : total;
      else if (tree[0] === "max") total = compare(part, total) > 0 ? part : total;
      else total = tree[0] === "sum" ? plus(total, part) : times(total, part);
      if (!isSmall(total)) return null;
    }
  }
  return isSmall(total) ? total : null;
}

// ---- one answer: [value, error]

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
READERS.number = readNumber;
