// The list of a program: what is on now, search and filters, all on this phone.
(() => {
  const page = document.querySelector("[data-program]"), form = document.querySelector("[data-sift]");
  if (!page || !form) return;
  const words = page.dataset;
  const all = (found, within = document) => [...within.querySelectorAll(found)];
  const one = (name) => document.querySelector(`[data-${name}]`);
  const plain = window.fold;
  const items = all("[data-day]").flatMap((day) => all("li.slot", day).map((item) => ({
    item, hour: item.closest(".hour"), section: day, day: day.dataset.day,
    start: Number(item.dataset.s || 0) * 60000, end: Number(item.dataset.u || 0) * 60000, off: item.hasAttribute("data-off"),
    text: plain(item.textContent), room: item.dataset.r || "", track: item.dataset.t || "",
  })));
  const by = new Map(items.map((slot) => [slot.item.id, slot]));

  const language = document.documentElement.lang;
  const writer = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { timeZone: words.zone, weekday: "short", day: "numeric", month: "short" });
  const dated = (at) => writer.format(at).replace(language === "en" ? "," : "", "");

  // Now: started and not over. Next: all that start at the earliest later time, even on a later day (now_and_next.py).
  let shown = null;
  function now() {
    const at = Date.now(), timed = items.filter((slot) => slot.start && !slot.off);
    const on = timed.filter((slot) => slot.start <= at && at < slot.end);
    const soonest = Math.min(...timed.filter((slot) => slot.start > at).map((slot) => slot.start));
    const next = timed.filter((slot) => slot.start === soonest);
    const told = JSON.stringify([on, next].map((slots) => slots.map((slot) => slot.item.id)));
    if (told === shown) return;
    shown = told;
    fill("now", on);
    fill("next", next);
    document.getElementById("now").hidden = !on.length && !next.length;
    one("jump").hidden = !on.length;
  }
  function fill(name, slots) {
    const place = one(name);
    place.hidden = !slots.length;
    place.querySelector("ul").replaceChildren(...slots.slice(0, 12).map(({ item, start }) => {
      const copy = document.createElement("li"), [title, meta] = all(":scope > a, :scope > .meta", item).map((part) => part.cloneNode(true));
      if (dated(start) !== dated(Date.now())) {
        const day = document.createElement("b");
        day.textContent = dated(start);
        meta.prepend(day, " ");
      }
      copy.append(title, meta);
      return copy;
    }));
  }

  // Search and filters.
  const fields = Object.fromEntries(["q", "room", "track", "day"].map((name) => [name, form.elements[name]]));
  const mine = one("only-mine"), count = one("filter-count"), panel = one("filter");
  const chosen = (name) => (fields[name] ? fields[name].value : "");
  function sift() {
    if (mine.hidden) mine.setAttribute("aria-pressed", "false");  // nothing is starred
    const wanted = plain(chosen("q")).split(/\s+/).filter(Boolean), only = mine.getAttribute("aria-pressed") === "true";
    let left = 0;
    const seen = new Set();
    items.forEach((slot) => {
      const fits = ["room", "track", "day"].every((name) => !chosen(name) || slot[name] === chosen(name))
        && (!only || slot.item.hasAttribute("data-on")) && wanted.every((word) => slot.text.includes(word));
      if (slot.item.hidden === fits) slot.item.hidden = !fits;
      if (!fits) return;
      left += 1;
      seen.add(slot.hour).add(slot.section);
    });
    const used = [only, wanted.length > 0, ...["room", "track", "day"].map(chosen)].filter(Boolean).length, any = used > 0;
    count.textContent = used;
    count.hidden = !any;
    all(".hour, [data-day], .rooms, .strip").forEach((part) => { part.hidden = any && !seen.has(part) && !(part.matches(".rooms") && !only && !wanted.length); });
    if (any) all("[data-day] > details").forEach((day) => { day.open = true; });
    const tally = one("tally");
    tally.hidden = !any;
    tally.textContent = left === 0 ? words.none : words.found.replace("{what}", left);
    one("clear").hidden = !any;
  }

  // Descriptions of sessions are loaded after the page, so that the first view is small.
  let asked;
  function more() {
    asked ||= fetch(`${location.pathname.match(/^\/e\/[^/.]+/i)[0]}.json`).then((answer) => (answer.ok ? answer.json() : {})).then((texts) => {
      Object.entries(texts).forEach(([id, text]) => { if (by.has(id)) by.get(id).text += ` ${plain(text)}`; });
      return texts;
    }).catch(() => { asked = null; return {}; });
    return asked;
  }

  // Without a connection, the service worker redirects here from a session's own page, and what is known about it
  // opens.
  function unfold() {
    const slot = by.get(location.hash.slice(1));
    if (!slot) return;
    slot.item.closest("details").open = true;
    more().then((texts) => {
      if (texts[slot.item.id] && !slot.item.querySelector(".about")) {
        const about = document.createElement("p");
        about.className = "about";
        about.dir = "auto";
        about.textContent = texts[slot.item.id];
        slot.item.append(about);
      }
      slot.item.scrollIntoView({ block: "center" });
    });
  }

  // The bar shows which day is visible.
  const links = new Map(all("[data-bar] a[href^='#d']").map((link) => [link.hash.slice(1), link]));
  let due = false;
  function reading() {
    due = false;
    const days = all("[data-day]").filter((day) => !day.hidden && links.has(day.id));
    const at = days.filter((day) => day.getBoundingClientRect().top < 160).pop();
    if (!at) return;
    links.forEach((link, id) => {
      if (id !== at.id) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "true");
        link.parentElement.parentElement.scrollTo({ left: link.parentElement.offsetLeft - 60 });
      }
    });
  }
  addEventListener("scroll", () => { if (!due) { due = true; requestAnimationFrame(reading); } }, { passive: true });

  // The panel covers the list, so it closes as a menu does.
  document.addEventListener("click", (event) => { if (!panel.contains(event.target)) panel.open = false; });
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !panel.open) return;
    panel.open = false;
    panel.querySelector("summary").focus();
  });

  now();
  setInterval(now, 20000);
  document.addEventListener("visibilitychange", now);
  document.addEventListener("program-zone", () => { shown = null; now(); });
  one("only-mine").addEventListener("click", () => { mine.setAttribute("aria-pressed", mine.getAttribute("aria-pressed") !== "true"); sift(); });
  if (form.hasAttribute("data-sifted")) return;  // the server has filtered the list and continues to do so
  document.addEventListener("program-stars", sift);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    panel.open = false;
    one("tally").scrollIntoView({ block: "center" });
  });
  form.addEventListener("input", sift);
  form.addEventListener("focusin", () => more().then(sift));
  one("clear").addEventListener("click", (event) => {
    event.preventDefault();
    Object.values(fields).forEach((field) => { if (field) field.value = ""; });
    mine.setAttribute("aria-pressed", "false");
    sift();
  });
  all("[data-bar] a[href^='#d']").forEach((link) => link.addEventListener("click", () => {
    const day = document.getElementById(link.hash.slice(1));
    if (day) day.querySelector("details").open = true;
  }));
  sift();
  unfold();
  addEventListener("hashchange", unfold);
})();
