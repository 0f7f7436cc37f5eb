// What scripts add to a guest's form, which works without them: fields appear according to the answers, by the server's
// rules; pages change without being submitted; answers stay on this device until the form is submitted. Nothing hidden
// is submitted, and nothing at all before the last page.

const LIMITS = {
  too_small: "min", too_large: "max", too_few: "min", too_many: "max", too_short: "min_length", too_long: "max_length",
};
const MOST_MB = 10, MOST_MB_IN_ALL = 25; // as in answer_validation.py
const TOLD = ["heading", "text", "total"]; // have no answer
const NOT_KEPT = ["consent", "signature", "file"];

const sent = document.querySelector("[data-sent]");
const form = document.querySelector("form[data-rule]");
try {
  if (sent) {
    Object.keys(localStorage).filter((name) => name.startsWith(`form:${sent.dataset.sent}.`)).forEach((name) => localStorage.removeItem(name));
  }
} catch { /* the browser stores nothing */ }
if (form) begin();

function begin() {
  const rule = JSON.parse(form.dataset.rule), words = JSON.parse(form.dataset.words);
  const language = document.documentElement.lang, isSingle = "single" in form.dataset;
  for (const template of form.querySelectorAll("template")) {
    for (const part of template.content.children) part.hidden = true;
    template.replaceWith(template.content);
  }
  form.querySelectorAll("[data-carried]").forEach((one) => one.remove());
  const fields = new Map(rule.pages.flatMap((page) => page.fields).map((one) => [one.key, one]));
  const boxes = new Map([...form.querySelectorAll("[data-key]")].map((one) => [one.dataset.key, one]));
  const sections = new Map([...form.querySelectorAll("[data-page]")].map((one) => [one.dataset.page, one]));
  const button = form.querySelector("[data-send]"), above = form.querySelector("#wrong"), way = form.querySelector(".fm-way");
  const hint = form.querySelector("[data-kept]"), go = form.querySelector(".fm-go");
  let back = form.querySelector("[value=back]");
  if (!back) {
    back = Object.assign(document.createElement("button"), { type: "submit", name: "go", value: "back", className: "button plain", hidden: true });
    back.textContent = go.dataset.back;
    go.append(back);
  }
  // an error that only the server can find remains until the answer changes
  const refused = new Set([...boxes].filter(([, box]) => box.querySelector(".error")).map(([key]) => key));
  let found = null, now = form.elements.page.value, step = 0, isSending = false;

  // ---- answers, and what follows from them

  const controls = (key) => {
    const box = boxes.get(key);
    return box.matches("input") ? [box] : [...box.querySelectorAll(`[name="f-${CSS.escape(key)}"]`)];
  };
  const beside = (key, name) => form.elements[`f-${key}-${name}`]?.value || "";

  function answer(field) {
    const all = controls(field.key), how = boxes.get(field.key).dataset.how;
    const own = (value) => (value === "-other" ? { other: beside(field.key, "other") } : value);
    if (how === "tick") return all[0].checked ? "yes" : "";
    if (how === "signature") return { name: all[0].value, drawn: JSON.parse(beside(field.key, "drawn") || "[]") };
    if (how === "file") {
      return all.flatMap((one) => (one.type === "file" ? [...one.files].map((file) => file.name.slice(0, 60) || "file") : one.checked ? [one.value] : []));
    }
    if (["choice", "stars", "scale"].includes(how)) {
      const chosen = all.filter((one) => one.checked).map((one) => own(one.value));
      return field.type === "multi_choice" ? chosen : chosen[0] ?? "";
    }
    return own(all[0].value);
  }

  const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: form.dataset.zone, year: "numeric", month: "2-digit", day: "2-digit" }).format();

  function look() {
    if (!evaluate) return;
    const answers = {};
    for (const [key, field] of fields) if (!TOLD.includes(boxes.get(key).dataset.how)) answers[key] = answer(field);
    found = evaluate(rule, answers, today());
    weigh();
    const shown = new Set(found.shown), required = new Set(found.required);
    for (const [key, box] of boxes) {
      const isOn = shown.has(key);
      box.hidden = !isOn;
      for (const one of box.matches("input, fieldset") ? [box] : box.querySelectorAll("input, select, textarea")) one.disabled = !isOn;
      const star = box.querySelector(".fm-need");
      if (star) star.hidden = !required.has(key);
      const total = box.querySelector("output");
      if (total) total.textContent = key in found.kept ? figure(found.kept[key], total.dataset.decimals) : "–";
      if (!found.errors[key] && !refused.has(key)) mark(key, "");
    }
    if (!found.pages.includes(now)) {
      const order = rule.pages.map((page) => page.key);
      now = found.pages.filter((key) => order.indexOf(key) < order.indexOf(now)).at(-1) || found.pages[0];
      step = 0;
    }
    draw();
  }

  // Files are rejected before they are uploaded if their type is not accepted or they are too large.
  const isTaken = (file, accept) => !accept || accept.split(",").some((one) => (one.startsWith("image/") ? file.type === one || !file.type
    : file.name.toLowerCase().endsWith(one) || file.type === `image/${one.slice(1).replace("jpg", "jpeg")}`));
  function weigh() {
    let all = 0;
    for (const key of found.shown) {
      if (boxes.get(key).dataset.how !== "file") continue;
      const sizes = controls(key).flatMap((one) => [...(one.files || [])]).map((file) => file.size / 1048576);
      all += sizes.reduce((sum, one) => sum + one, 0);
      if (controls(key).some((one) => [...(one.files || [])].some((file) => !isTaken(file, one.accept)))) found.errors[key] = "wrong_kind";
      else if (Math.max(0, ...sizes) > (fields.get(key).max_mb ?? MOST_MB)) found.errors[key] = "too_large";
      else if (sizes.length && all > MOST_MB_IN_ALL) found.errors[key] ??= "too_heavy";
    }
  }

  const figure = (value, decimals) => {
    const digits = Number.isInteger(value) ? 0 : Number(decimals);
    return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  };

  // ---- one page, or one question, at a time

  function steps() {
    const groups = [];
    let waiting = [];
    for (const box of sections.get(now).querySelectorAll("[data-key]")) {
      if (box.hidden || box.dataset.how === "hidden") continue;
      waiting.push(box);
      if (!TOLD.includes(box.dataset.how)) { groups.push(waiting); waiting = []; }
    }
    if (waiting.length && groups.length) groups.at(-1).push(...waiting);
    return groups.length ? groups : [waiting];
  }

  function draw() {
    for (const [key, section] of sections) section.hidden = key !== now;
    const place = found.pages.indexOf(now), groups = isSingle ? steps() : [[]];
    step = Math.min(step, groups.length - 1);
    if (isSingle) groups.forEach((group, at) => group.forEach((box) => box.classList.toggle("fm-off", at !== step)));
    const isLast = place === found.pages.length - 1 && step === groups.length - 1;
    button.textContent = isLast ? button.dataset.send : button.dataset.on;
    back.hidden = place === 0 && step === 0;
    form.elements.page.value = now;
    if (!way) return;
    const asked = found.shown.filter((key) => !TOLD.includes(boxes.get(key).dataset.how) && boxes.get(key).dataset.how !== "hidden");
    const first = groups[step].find((box) => asked.includes(box.dataset.key));
    const at = isSingle ? asked.indexOf(first?.dataset.key) + 1 : rule.pages.findIndex((page) => page.key === now) + 1;
    const of = isSingle ? asked.length : rule.pages.length, line = way.querySelector("p"), bar = way.querySelector("progress");
    line.textContent = (isSingle ? line.dataset.step : line.dataset.at).replace("[at]", Math.max(at, 1)).replace("[of]", of);
    [bar.max, bar.value] = [of, at];
  }

  function turn(to, isBack) {
    above.hidden = true;
    form.closest("main").dataset.way = isBack ? "back" : "on";
    [now, step] = to;
    draw();
    if (!isBack) history.pushState({ now, step }, "");
    const section = sections.get(now);
    form.scrollIntoView({ block: "start" });
    document.dispatchEvent(new Event("turned"));
    const first = (isSingle ? steps()[step] : [section])[0]?.querySelector("input:not([type=hidden]), select, textarea");
    if (isSingle && first) first.focus({ preventScroll: true });
    else { section.tabIndex = -1; section.focus({ preventScroll: true }); }
  }

  function backwards() {
    const place = found.pages.indexOf(now);
    if (isSingle && step) turn([now, step - 1], true);
    else if (place) turn([found.pages[place - 1], isSingle ? 999 : 0], true);
  }

  // Returns whether everything required is answered, so that the form can be submitted.
  function forwards() {
    const groups = isSingle ? steps() : [[...sections.get(now).querySelectorAll("[data-key]")]], place = found.pages.indexOf(now);
    if (tell(groups[step < groups.length ? step : 0].map((box) => box.dataset.key).filter((key) => found.errors[key]))) return false;
    if (step < groups.length - 1) { turn([now, step + 1]); return false; }
    if (place < found.pages.length - 1) {
      turn([found.pages[place + 1], 0]);
      if (!counted.has(now)) count({ page: now });
      counted.add(now);
      return false;
    }
    const wrong = Object.keys(found.errors);
    if (!wrong.length) return true;
    now = rule.pages.find((page) => page.fields.some((one) => one.key === wrong[0])).key;
    step = isSingle ? steps().findIndex((group) => group.some((box) => box.dataset.key === wrong[0])) : 0;
    draw();
    tell(wrong);
    return false;
  }

  const counted = new Set([now]);
  const count = (told) => navigator.sendBeacon(`${form.getAttribute("action").split("?")[0]}/start`, new URLSearchParams(told));

  // ---- what is wrong

  function problem(field, code) {
    const text = words[`${code}.${field.type}`] || words[code] || words.invalid;
    let limit = field.type !== "file" ? field[LIMITS[code]]
      : { too_large: field.max_mb ?? MOST_MB, too_heavy: MOST_MB_IN_ALL }[code] ?? field.max_files;
    if (!text.includes("%s")) return text;
    if (code === "wrong_kind") return text.replace("%s", controls(field.key).at(-1).dataset.kinds);
    if (limit === undefined) return words.invalid;
    if (field.type === "date") limit = new Date(`${limit === "today" ? today() : limit}T12:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
    else if (field.type !== "time") limit = Number(limit).toLocaleString(language);
    return text.replace("%s", limit);
  }

  function mark(key, text) {
    const box = boxes.get(key), id = `f-${key}-e`;
    let line = document.getElementById(id);
    if (!text && !line) return;
    line?.remove();
    const told = box.matches("fieldset") ? box : controls(key).at(-1);
    const others = (told.getAttribute("aria-describedby") || "").split(" ").filter((one) => one && one !== id);
    if (text) {
      line = Object.assign(document.createElement("p"), { id, className: "error", textContent: text });
      box.append(line);
      others.unshift(id);
    }
    if (told !== box) { if (text) told.setAttribute("aria-invalid", "true"); else told.removeAttribute("aria-invalid"); }
    if (others.length) told.setAttribute("aria-describedby", others.join(" ")); else told.removeAttribute("aria-describedby");
  }

  function tell(keys) {
    above.hidden = !keys.length;
    if (above.hidden) return false;
    above.firstElementChild.textContent = above.dataset.wrong;
    above.lastElementChild.replaceChildren(...keys.map((key) => {
      const text = problem(fields.get(key), found.errors[key]), line = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { href: `#f-${key}`, dir: "auto" });
      link.textContent = boxes.get(key).querySelector("legend, label")?.textContent || "";
      line.append(link, `: ${text}`);
      mark(key, text);
      return line;
    }));
    const alone = isSingle && keys.length === 1; // then it is shown below the visible question, and nowhere else
    above.hidden = alone;
    (alone ? document.getElementById(`f-${keys[0]}-e`) : above).setAttribute("role", "alert");
    (alone ? controls(keys[0])[0] : above).focus();
    document.dispatchEvent(new Event("turned"));
    above.scrollIntoView({ block: "nearest" });
    return true;
  }

  // ---- what is stored on this device

  const place = `form:${form.dataset.id}`;
  const keepable = ([name, value]) => {
    const key = /^f-([A-Za-z0-9_]+)(?:-other)?$/.exec(name)?.[1], field = fields.get(key);
    return field && typeof value === "string" && !NOT_KEPT.includes(field.type) && boxes.get(key).dataset.how !== "hidden";
  };
  const store = (work) => { try { return work(localStorage); } catch { return null; } };
  function keep() {
    const told = [...new FormData(form)].filter(keepable);
    store((kept) => (told.some(([, value]) => value) ? kept.setItem(place, JSON.stringify(told)) : kept.removeItem(place)));
  }
  function restore() {
    const told = store((kept) => JSON.parse(kept.getItem(place))) || [];
    if (!told.length) return;
    for (const name of new Set(told.map(([one]) => one))) {
      const values = told.filter(([one]) => one === name).map(([, value]) => value);
      for (const one of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (["radio", "checkbox"].includes(one.type)) one.checked = values.includes(one.value); else [one.value] = values;
      }
    }
    hint.hidden = false;
  }
  hint.querySelector("button").addEventListener("click", () => {
    store((kept) => kept.removeItem(place));
    form.reset();
    hint.hidden = true;
    [now, step] = [rule.pages[0].key, 0];
    look();
  });

  // ---- start

  let evaluate = null, isComing = null;
  const fetchRule = () => (isComing ??= import("./evaluate.js").then(async (module) => {
    await module.ready(rule);
    evaluate = module.evaluate;
    look();
    const at = isSingle ? steps().findIndex((group) => group.some((box) => refused.has(box.dataset.key))) : -1;
    if (at > 0) { step = at; draw(); }
  }).catch(() => { isComing = null; }));
  if ("fresh" in form.dataset) restore();
  form.elements.token.value ||= Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if ("logic" in form.dataset || isSingle || !hint.hidden) fetchRule();
  history.replaceState({ now, step }, "");
  form.addEventListener("focusin", fetchRule, { once: true });
  form.addEventListener("input", () => count({}), { once: true });
  form.addEventListener("input", ({ target }) => { refused.delete(target.closest("[data-key]")?.dataset.key); look(); keep(); });
  form.addEventListener("change", async ({ target }) => {
    if (target.type === "file") await fetchRule();
    look();
    const key = target.type === "file" && target.closest("[data-key]").dataset.key, code = key && found?.errors[key];
    if (!code || code === "required") return;
    mark(key, problem(fields.get(key), code));
    document.getElementById(`f-${key}-e`).setAttribute("role", "alert");
  });
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value === "later") return;
    if (event.submitter === back ? found : found && !forwards()) {
      event.preventDefault();
      if (event.submitter === back) backwards();
      return;
    }
    if (isSending) { event.preventDefault(); return; }
    if (!found && !event.submitter?.dataset.tried) {
      event.preventDefault();
      const submitter = event.submitter || button;
      submitter.dataset.tried = "1"; // if the rules cannot be loaded, the server responds page by page
      await fetchRule();
      form.requestSubmit(submitter);
      return;
    }
    if (!found) return;
    isSending = true;
    form.elements.seen.value = found.shown
      .filter((key) => !["heading", "text"].includes(boxes.get(key).dataset.how))
      .map((key) => (boxes.get(key).dataset.how !== "total" ? key : key in found.kept ? `${key}=${found.kept[key]}` : ""))
      .join(" ");
    setTimeout(() => { button.disabled = true; });
  });
  addEventListener("popstate", ({ state }) => { if (state && found?.pages.includes(state.now)) turn([state.now, state.step], true); });
  addEventListener("pageshow", () => { isSending = false; button.disabled = false; });
  for (const link of [above]) {
    link.addEventListener("click", (event) => {
      const target = event.target.closest("a") && document.getElementById(event.target.closest("a").hash.slice(1));
      if (!target) return;
      event.preventDefault();
      target.focus();
      target.scrollIntoView({ block: "center" });
    });
  }
}
