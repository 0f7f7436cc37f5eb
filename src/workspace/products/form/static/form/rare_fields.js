// Answers that not every form has: several options, dates and times, files, signatures, and patterns, as in
// answer_validation.py and regex_engine.py.

import { READERS, clean, length, readOne } from "./answers.js";

const LONGEST_PATTERN_TEXT = 200;

// ---- patterns

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

function fits(program, text) {
  if (length(text) > LONGEST_PATTERN_TEXT) return false;
  let now = reach(program, [0]);
  for (const char of text) {
    const point = char.codePointAt(0);
    const holdsHere = (step) => step[2].some(([low, high]) => low <= point && point <= high) !== step[1];
    now = reach(program, now.filter((at) => program[at][0] === "in" && holdsHere(program[at])).map((at) => at + 1));
  }
  return now.some((at) => program[at][0] === "end");
}

// ---- one answer: [value, error]

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

function readSignature(_field, given) {
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

Object.assign(READERS, { multi: readMulti, date: readMoment, time: readMoment, files: readFiles, signature: readSignature, program: fits });
