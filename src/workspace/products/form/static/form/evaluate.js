// What a form shows, requires and submits, as on the server (evaluation.py): a hidden field is empty for everything
// after it. Both run testing/form_cases.json.

import { FAMILIES, READERS, fold, isFraction, read } from "./answers.js";

const USUAL_DECIMALS = 2;
let numbers = null;

// Before `evaluate`: loads what this form needs.
export async function ready(form) {
  const fields = form.pages.flatMap((page) => page.fields), families = new Set(fields.map((one) => FAMILIES[one.type]));
  const isRarer = [...families].some((family) => !["nothing", "number"].includes(family) && !READERS[family]);
  const [counting] = await Promise.all([
    families.has("number") ? import("./numbers.js") : numbers,
    isRarer || fields.some((one) => one.program) ? import("./rare_fields.js") : null,
  ]);
  numbers = counting;
}

// ---- conditions

const NEGATED = { is_not: "is", not_contains: "contains", none_of: "any_of" };
const list = (value) => (Array.isArray(value) ? value : [value]);

export function holds(condition, values, today) {
  if (condition.all) return condition.all.every((part) => holds(part, values, today));
  if (condition.any) return condition.any.some((part) => holds(part, values, today));
  if (condition.not) return !holds(condition.not, values, today);
  const value = values.get(condition.field) ?? null, op = condition.op;
  let wanted = condition.value;
  if (condition.day) wanted = list(wanted).map((one) => (one === "today" ? today : one));
  if (op === "is_empty" || op === "is_answered") return (value === null) === (op === "is_empty");
  if (NEGATED[op]) return value === null || !compared(NEGATED[op], value, wanted);
  return value !== null && compared(op, value, wanted);
}

function compared(op, value, wanted) {
  if (typeof value === "boolean") return op === "is" && value === wanted;
  if (Array.isArray(value)) {
    const several = list(wanted), has = (one) => value.includes(one);
    if (op === "is") return several.every(has) && value.every((one) => several.includes(one));
    return op === "all_of" ? several.every(has) : several.some(has);
  }
  if (isFraction(value)) return ordered(op, list(wanted).map((one) => numbers.compare(value, numbers.numberOf(one))));
  if (typeof value !== "string") return false;
  const folded = fold(value), several = list(wanted).map(fold);
  if (op === "contains") return folded.includes(several[0]);
  if (op === "starts_with") return folded.startsWith(several[0]);
  if (op === "ends_with") return folded.endsWith(several[0]);
  return ordered(op, several.map((one) => (folded < one ? -1 : folded > one ? 1 : 0)));
}

function ordered(op, signs) {
  if (op === "is" || op === "any_of") return signs.includes(0);
  return { gt: signs[0] > 0, gte: signs[0] >= 0, lt: signs[0] < 0, lte: signs[0] <= 0 }[op] || false;
}

// ---- the whole form

// `answers` by key, as in the form's controls; `today` is an ISO date. With `until`, it stops after that page.
// Returns {pages, shown, required, errors, why, kept, ended}: `kept` is what may leave the browser.
export function evaluate(form, answers, today, until = "") {
  const values = new Map(), kept = {}, errors = {}, why = {}, pages = [], required = [], shown = new Set();
  let wanted = null, stopped = false;
  const visit = (one, scores) => {
    if (one.section && !shown.has(one.section)) { why[one.key] = "section"; return; }
    if (one.show_if && !holds(one.show_if, values, today)) { why[one.key] = "show_if"; return; }
    shown.add(one.key);
    if (FAMILIES[one.type] === "nothing") return;
    if (one.type === "calculated") {
      const total = numbers.countOut(one.tree, values, scores), decimals = one.decimals ?? USUAL_DECIMALS;
      if (total && numbers.fitsJson(numbers.rounded(total, decimals))) {
        values.set(one.key, total);
        kept[one.key] = Number(numbers.textOf(numbers.rounded(total, decimals)));
      }
      return;
    }
    const [value, code] = read(one, Object.hasOwn(answers, one.key) ? answers[one.key] : null, today);
    const isRequired = one.required || (one.require_if && holds(one.require_if, values, today));
    if (isRequired) required.push(one.key);
    if (code) errors[one.key] = code;
    else if (value === null && isRequired) errors[one.key] = "required";
    if (value !== null) {
      values.set(one.key, value);
      kept[one.key] = isFraction(value) ? Number(numbers.textOf(value)) : value;
    }
  };
  for (const page of form.pages) {
    if (stopped || wanted === "end" || (wanted !== null && page.key !== wanted)) {
      for (const one of page.fields) why[one.key] = "page";
      continue;
    }
    pages.push(page.key);
    const fields = new Map(page.fields.map((one) => [one.key, one]));
    for (const key of page.order || fields.keys()) visit(fields.get(key), fields.get(key).scores || {});
    const leap = (page.next || []).find((one) => !one.if || holds(one.if, values, today));
    wanted = leap ? leap.go_to : null;
    stopped = page.key === until;
  }
  return { pages, shown: [...shown], required, errors, why, kept, ended: !stopped };
}
