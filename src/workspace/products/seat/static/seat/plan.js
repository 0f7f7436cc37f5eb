// What the script adds to a chart: actions update the page in place, the list is searched while typing, a table's number
// moves the selected guest, and changes by other planners appear. Without it, every link and form opens a page.
(() => {
  const panes = document.querySelector(".st-stage");
  if (!panes) return;
  const $ = (id) => document.getElementById(id);
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const url = panes.dataset.url, csrf = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const details = $("st-details"), ask = $("st-ask"), goto_ = $("st-goto"), free = $("st-free"), sitting = $("st-sitting");
  let version = panes.dataset.version, open = "", busy = 0;
  const move = (guests, table, more = {}) => act({ act: "move", guest: guests, table, ...more });
  window.seat = { act, choose, chooseGuest, move };
  document.querySelector(".st-find").hidden = false;

  const READ = 8000; // milliseconds
  let quiet = 0;
  function say(words) {
    $("st-said").textContent = "";
    requestAnimationFrame(() => { $("st-said").textContent = words; });
    clearTimeout(quiet);
    quiet = setTimeout(() => { $("st-said").textContent = ""; }, READ);
  }

  // ---- actions
  async function act(fields) {
    const body = fields instanceof FormData ? fields : new FormData();
    if (!(fields instanceof FormData)) for (const [name, value] of Object.entries(fields)) [value].flat().forEach((one) => body.append(name, one));
    body.set("csrfmiddlewaretoken", csrf);
    body.set("version", version);
    busy++;
    panes.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`${url}/act`, { method: "POST", body, headers: { Accept: "application/json" } });
      if (!(answer.headers.get("Content-Type") || "").includes("json")) throw new Error(`${answer.status}`);
      const data = await answer.json();
      if (data.version) take(data);
      if (!answer.ok) {
        refused(data);
        return false;
      }
      say(data.said);
      return true;
    } catch {
      say(panes.dataset.offline);
      return false;
    } finally {
      if (!--busy) panes.removeAttribute("aria-busy");
    }
  }
  function refused(data) {
    if (data.refused) {
      say(data.refused);
      $("st-said").classList.add("is-bad");
      setTimeout(() => $("st-said").classList.remove("is-bad"), 4000);
    }
    if (!data.ask) return;
    ask.innerHTML = data.ask;
    ask.showModal();
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-act]");
    if (!form) return;
    event.preventDefault();
    const fields = new FormData(form, event.submitter);
    if (form === goto_ && !fields.get("named").trim()) return $("st-named").focus();
    ask.open && ask.close();
    const back = document.activeElement;
    if (await act(fields)) {
      form.closest("details.st-add")?.removeAttribute("open");
      if (form === goto_) shut();
      if (open) show(open, false);
      back?.isConnected && back.focus({ preventScroll: true });
    }
  });
  ask.addEventListener("click", (event) => (event.target === ask || event.target.closest("[data-shut]")) && ask.close());

  // ---- what has changed
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  function take(data) {
    version = data.version;
    const focused = document.activeElement?.closest?.("[id]")?.id;
    if (data.whole) {
      const known = new Set([...Object.keys(data.tables), ...Object.keys(data.guests)]);
      all(".st-at, .st-guest").forEach((one) => known.has(one.dataset.id) || one.remove());
    }
    for (const id of data.gone) { $(`at-${id}`)?.remove(); $(`g-${id}`)?.remove(); }
    for (const [id, drawn] of Object.entries(data.tables)) {
      holder.innerHTML = drawn;
      const fresh = holder.firstElementChild, old = $(`at-${id}`);
      if (old?.classList.contains("is-held")) continue; // it is being dragged
      if (old) old.replaceWith(fresh);
      else $(fresh.classList.contains("st-table") ? "st-tables" : "st-things").append(fresh);
    }
    window.seat.paint?.(Object.keys(data.tables).map((id) => $(`at-${id}`)).filter((one) => one?.matches(".st-table")));
    const list = document.createElement("ul");
    for (const [id, line] of Object.entries(data.guests)) {
      list.innerHTML = line;
      const fresh = list.firstElementChild, old = $(`g-${id}`);
      const home = fresh.dataset.table ? sitting : free;
      if (old?.parentElement === home) { old.replaceWith(fresh); continue; }
      old?.remove();
      const next = [...home.children].find((one) => one.dataset.words.localeCompare(fresh.dataset.words) > 0);
      home.insertBefore(fresh, next || null);
    }
    if ($("st-svg").getAttribute("viewBox") !== data.view) {
      $("st-svg").setAttribute("viewBox", data.view);
      $("st-svg").dispatchEvent(new Event("seat:room"));
    }
    $("st-facts").innerHTML = data.facts;
    all("[data-count=free]").forEach((one) => { one.textContent = data.total - data.seated; });
    all(".st-seat-all").forEach((one) => { one.hidden = data.total === data.seated; });
    all(".st-outside-note").forEach((one) => one.remove());
    for (const [id, words] of Object.entries(data.outside)) {
      const note = Object.assign(document.createElement("a"), { className: "st-outside-note", id: `out-${id}`, href: `${url}/table/${id}`, textContent: words });
      note.dataset.open = "";
      document.querySelector(".st-bar").append(note);
    }
    document.querySelector("[data-count=sitting]").textContent = data.seated;
    $("st-undo").disabled = !data.can_undo;
    $("st-redo").disabled = !data.can_redo;
    const warnings = $("st-warnings");
    warnings.hidden = !data.warnings.length;
    warnings.querySelector("summary b").textContent = data.warnings.length;
    warnings.querySelector("ul").replaceChildren(...data.warnings.map((one) => Object.assign(document.createElement("li"), { textContent: one })));
    if (Object.keys(data.tables).length) document.querySelector(".st-empty")?.remove();
    $("st-names").replaceChildren(...all(".st-table").map((one) => new Option(one.dataset.freeLabel, one.dataset.name)));
    filter();
    mark();
    if (focused && !document.activeElement?.closest?.(`#${CSS.escape(focused)}`)) ($(focused)?.matches("a, button, g") ? $(focused) : $(focused)?.querySelector("a"))?.focus({ preventScroll: true });
  }
  async function poll() {
    if (document.hidden || busy) return;
    try {
      const answer = await fetch(`${url}/since?version=${version}`, { headers: { Accept: "application/json" } });
      if (answer.status === 200 && !busy) { take(await answer.json()); if (open && !details.contains(document.activeElement)) show(open, false); }
    } catch { /* the next update includes it */ }
  }
  setInterval(poll, 4000);

  // ---- the list
  const q = $("st-q"), filters = all("[data-filter]");
  const fold = window.fold;
  function filter() {
    const words = fold(q.value).split(/\s+/).filter(Boolean);
    for (const line of all(".st-guest")) {
      const held = filters.every((one) => !one.value || line.dataset[one.dataset.filter].split("|").includes(one.value));
      line.hidden = !(held && words.every((word) => fold(line.dataset.words).includes(word)));
    }
  }
  q.addEventListener("input", filter);
  filters.forEach((one) => one.addEventListener("change", filter));

  // ---- details
  async function show(path, focus = true) {
    open = path;
    mark();
    const answer = await fetch(path, { headers: { "X-Part": "1" } });
    if (!answer.ok || answer.redirected || open !== path) return !answer.ok && close();
    details.parentElement.hidden = false;
    details.innerHTML = await answer.text();
    window.htmx?.process(details);
    details.parentElement.scrollTop = 0;
    const table = document.querySelector(".st-at.is-open");
    if (table) window.seat.reveal?.(table);
    if (focus) details.querySelector("h2")?.focus({ preventScroll: true });
  }
  function close() {
    open = "";
    details.parentElement.hidden = true;
    details.replaceChildren();
    mark();
  }
  // Close the details, and return to the table or the guest.
  function leave() {
    const id = open.split("/").pop(), back = $(`at-${id}`) || $(`g-${id}`)?.querySelector("a");
    close();
    back?.focus({ preventScroll: true });
  }
  document.querySelector(".st-shut").addEventListener("click", leave);
  function mark() {
    const id = open.split("/").pop();
    all(".is-open").forEach((one) => one.classList.remove("is-open"));
    if (!id) return;
    ($(`at-${id}`) || $(`g-${id}`))?.classList.add("is-open");
    document.querySelector(`.st-seat[data-guest="${CSS.escape(id)}"]`)?.closest(".st-at").classList.add("is-open");
  }
  function choose(id) { show(`${url}/table/${id}`); }
  function chooseGuest(id) { show(`${url}/guest/${id}`); }
  document.addEventListener("click", (event) => {
    all(".st-bar details[open], .st-warnings[open]").forEach((one) => one.contains(event.target) || one.removeAttribute("open"));
    const link = event.target.closest("a[data-open]");
    if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); link.closest(".st-bar details")?.removeAttribute("open"); return show(link.getAttribute("href")); }
    const grip = event.target.closest(".st-grip");
    if (grip) return ready(grip.closest(".st-guest"), "whole" in grip.dataset);
  });
  details.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.matches("[data-act]")) return;
    event.preventDefault();
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form, event.submitter), headers: { "X-Part": "1" } });
    details.innerHTML = await answer.text();
    if (answer.ok) say(panes.dataset.saved);
    poll();
  });
  // ---- a guest, a number, Enter
  function ready(line, whole = false, typed = "") {
    const party = line.dataset.party;
    goto_.querySelector("[data-goto=guests]").innerHTML = "";
    goto_.querySelector("[data-goto=guests]").append(Object.assign(document.createElement("input"), { type: "hidden", name: "guest", value: line.dataset.id }));
    goto_.querySelector("[data-goto=who]").textContent = line.querySelector("bdi").textContent;
    goto_.elements.whole.checked = whole;
    goto_.elements.whole.parentElement.hidden = !party;
    goto_.hidden = false;
    const field = $("st-named");
    field.value = typed;
    field.focus();
    goto_.dataset.from = line.id;
  }
  function shut() {
    goto_.hidden = true;
    $(goto_.dataset.from)?.querySelector("a")?.focus();
  }
  goto_.addEventListener("click", async (event) => {
    const what = event.target.closest("[data-goto]")?.dataset.goto;
    if (what === "shut") shut();
    if (what === "unseat" && (await move(new FormData(goto_).getAll("guest"), "", goto_.elements.whole.checked ? { whole: 1 } : {}))) shut();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, dialog");
    if (event.key === "Escape" && !goto_.hidden) return shut();
    if (event.key === "Escape" && open && !ask.open) return leave();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      event.preventDefault();
      return act({ act: event.shiftKey ? "redo" : "undo" });
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const line = event.target.closest(".st-guest");
    if (line && /^[\p{L}\p{N}]$/u.test(event.key)) { event.preventDefault(); return ready(line, event.target.matches(".st-whole"), event.key); }
    if (line && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const lines = all(".st-guest:not([hidden])"), next = lines[lines.indexOf(line) + (event.key === "ArrowDown" ? 1 : -1)];
      event.preventDefault();
      return next?.querySelector("a").focus();
    }
    const table = event.target.closest(".st-at");
    if (!table) return;
    const by = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", r: "turn", R: "turn" }[event.key];
    if (by && !("locked" in table.dataset)) { event.preventDefault(); act({ act: "place", table: table.dataset.id, by }); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(table.dataset.id); }
  });
})();
