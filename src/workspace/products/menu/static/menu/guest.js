// The guest's diet and allergies, without asking the server: stored on this phone, applied here, and sent nowhere.
(() => {
  // pictures of dishes wait until the cover and the fonts are there
  addEventListener("load", () => { document.documentElement.dataset.loaded = ""; });
  keepPage();
  const form = document.querySelector("[data-wishes]");
  if (!form) return;
  const KEY = "menu-wishes";
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const one = (name) => document.querySelector(`[data-${name}]`);
  const words = (text) => text.split(" ").filter(Boolean);
  const chosen = (name) => boxes.filter((box) => box.name === name && box.checked);
  const language = document.documentElement.lang;
  const find = one("find"), plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const list = new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "conjunction" });
  const listed = (found) => list.format(found);
  const told = (name, what) => form.dataset[name].replace(/\{\w+\}/, what);

  // A section's own URL also opens it if it is collapsed because it is served at another time of day.
  function unfold() {
    const there = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    if (there?.matches("details")) there.open = true;
  }

  // As on the server (dietary_filter.py): dishes with an avoided allergen are hidden, and for the rest, the uncertain
  // ones are named.
  function judge(dish, diets, avoided, sought) {
    const suits = words(dish.dataset.diets), contains = words(dish.dataset.contains), may = words(dish.dataset.may);
    const free = words(dish.dataset.free || ""), declared = (key) => may.includes(key) || free.includes(key) || free.includes("all");
    dish.hidden = avoided.some((box) => contains.includes(box.value)) || diets.some((box) => !suits.includes(box.value));
    if (sought.length) {
      const said = plain([...dish.querySelectorAll(":scope > .words > :is(h3, .about)")].map((part) => part.textContent).join(" "));
      dish.hidden ||= sought.some((word) => !said.includes(word));
    }
    const traces = avoided.filter((box) => may.includes(box.value)).map((box) => box.dataset.name);
    const open = avoided.filter((box) => !declared(box.value)).map((box) => box.dataset.name);
    const note = [];
    if (traces.length) note.push(told("may", listed(traces)));
    if (open.length) note.push(told("open", listed(open)));
    const ask = dish.querySelector("[data-ask]");
    if (!ask) return; // a price list has nothing to filter
    ask.textContent = note.join(" ");
    ask.hidden = !note.length;
  }

  function apply() {
    const diets = chosen("diet"), avoided = chosen("avoid");
    const chose = diets.length + avoided.length > 0, sought = find ? plain(find.value).split(/\s+/).filter(Boolean) : [];
    const any = chose || sought.length > 0;
    const dishes = [...document.querySelectorAll(".dish")];
    dishes.forEach((dish) => judge(dish, diets, avoided, sought));
    document.querySelectorAll(".course, .course-later").forEach((course) => {
      course.hidden = [...course.querySelectorAll(".dish")].every((dish) => dish.hidden);
    });
    const out = dishes.filter((dish) => dish.hidden).length;
    if (one("chosen")) one("chosen").textContent = chose ? listed([...diets.map((box) => box.dataset.name), ...avoided.map((box) => told("without", box.dataset.name))]) : "";
    one("clear").hidden = !any;
    const tally = one("tally");
    tally.hidden = !any;
    tally.textContent = any ? `${out === dishes.length ? form.dataset.none : told("out", out)}${avoided.length ? ` ${form.dataset.unsure}` : ""}` : "";
  }

  function keep() {
    const profile = { diet: chosen("diet").map((box) => box.value), avoid: chosen("avoid").map((box) => box.value) };
    try { localStorage.setItem(KEY, JSON.stringify(profile)); } catch { /* a private window forgets */ }
  }

  function recall() {
    const asked = new URLSearchParams(location.search);
    if (asked.has("diet") || asked.has("avoid")) {
      // chosen before the script was loaded: store it here and remove it from the URL
      ["diet", "avoid"].forEach((name) => asked.delete(name));
      history.replaceState(null, "", location.pathname + (asked.size ? `?${asked}` : "") + location.hash);
      keep();
      return;
    }
    try {
      const profile = JSON.parse(localStorage.getItem(KEY)) || {};
      boxes.forEach((box) => { box.checked = (profile[box.name] || []).includes(box.value); });
    } catch { /* nothing readable is stored */ }
  }

  form.addEventListener("change", () => { keep(); apply(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  one("clear").addEventListener("click", (event) => {
    event.preventDefault();
    boxes.forEach((box) => { box.checked = false; });
    if (find) find.value = "";
    keep();
    apply();
  });
  document.querySelectorAll("[data-plain]").forEach((button) => { button.hidden = true; });
  if (find) find.addEventListener("input", apply);
  if (one("script")) one("script").hidden = false;
  recall();
  apply();
  unfold();
  addEventListener("hashchange", unfold);

  // Shows which section is visible, in the bar that links to all of them.
  const jumps = [...document.querySelectorAll(".jump a")];
  if (!jumps.length) return;
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    entries.forEach(({ target, isIntersecting }) => (isIntersecting ? seen.add(target.id) : seen.delete(target.id)));
    const now = jumps.find((jump) => seen.has(jump.hash.slice(1)));
    if (!now || now.hasAttribute("aria-current")) return;
    jumps.forEach((jump) => jump.toggleAttribute("aria-current", jump === now));
    now.setAttribute("aria-current", "true");
    const line = now.closest("ul");
    line.scrollTo({ left: line.scrollLeft + now.getBoundingClientRect().left - line.getBoundingClientRect().left - 16 });
  }, { rootMargin: "-20% 0px -70%" });
  document.querySelectorAll(".course, .later").forEach((course) => watch.observe(course));

  // Stores the page for use without a connection, with the files that it has loaded. A stored page says how old it is.
  function keepPage() {
    const note = document.querySelector("[data-offline]"), since = note?.dataset.since;
    if (since) {
      const time = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
      note.textContent = note.dataset.offline.replace("{time}", time.format(new Date(since)));
    }
    if (!navigator.serviceWorker || !/^\/m\//i.test(location.pathname)) return;
    addEventListener("load", async () => {
      try {
        await navigator.serviceWorker.register("sw.js");
        const { active } = await navigator.serviceWorker.ready;
        active.postMessage({ page: location.pathname, parts: performance.getEntriesByType("resource").map((part) => part.name) });
      } catch { /* a private window stores nothing */ }
    });
  }
})();
