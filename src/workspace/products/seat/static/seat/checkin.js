// Check-in without a connection: each check-in is stored here under its own id until the server has saved it, so that it
// can be sent twice. Check-ins that the server rejects are shown by name until they are dismissed. A service worker stores
// the page. Everything belongs to one person in one account (`device.js`), and stored check-ins contain no names.
(() => {
  const door = document.querySelector(".st-door");
  if (!door) return;
  const $ = (id) => document.getElementById(id);
  const { owner } = document.querySelector("script[data-owner]").dataset, { chart } = door.dataset;
  const key = `unsent/${owner}/seat/${chart}`, lost = `private/${owner}/seat-refused/${chart}`, lines = [...door.querySelectorAll(".st-ticks li")];
  const csrf = document.querySelector("[name=csrfmiddlewaretoken]").value, q = $("st-door-q");
  const fold = window.fold;
  const kept = (of) => { try { return JSON.parse(localStorage.getItem(of)) || []; } catch { return []; } };
  const store = (of, what) => { try { localStorage.setItem(of, JSON.stringify(what)); } catch { /* lasts as long as the page is open */ } };
  const keep = (ticks) => { store(key, ticks); memory = ticks; };
  const nameOf = (id) => $(`t-${id}`)?.querySelector("bdi").textContent || door.dataset.unnamed;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
  // what earlier versions stored, under names without an owner
  const earlier = kept(`seat-ticks:${chart}`).map(({ guest, arrived, at, id }) => ({ guest, arrived, at, id }));
  let memory = [...earlier, ...kept(key)], refused = kept(lost), sending = false, trouble = "";
  let device = "";
  try { device = localStorage.getItem("seat-device") || `d${crypto.getRandomValues(new Uint32Array(2)).join("")}`; localStorage.setItem("seat-device", device); } catch { device = "browser"; }
  const fresh = () => [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(16)).join("");

  function show() {
    const pressed = lines.filter((one) => one.firstElementChild.getAttribute("aria-pressed") === "true").length;
    $("st-arrived").textContent = pressed;
    const reason = navigator.onLine ? trouble : door.dataset.offline, count = memory.length;
    $("st-off").textContent = count ? fill(reason ? door.dataset.unsentBecause : door.dataset.unsent, { count, reason }) : trouble;
    $("st-refused").hidden = !refused.length;
    $("st-refused").querySelector("ul").replaceChildren(...refused.map((one) => Object.assign(document.createElement("li"), { textContent: fill(one.arrived ? door.dataset.notCheckedIn : door.dataset.notUndone, { name: one.who, reason: one.why }) })));
  }
  $("st-refused").querySelector("button").addEventListener("click", () => { refused = []; store(lost, refused); show(); q.focus(); });
  function press(id, arrived) {
    $(`t-${id}`)?.firstElementChild.setAttribute("aria-pressed", arrived);
  }
  door.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const id = event.submitter.value, arrived = event.submitter.getAttribute("aria-pressed") !== "true";
    press(id, arrived);
    keep([...memory, { guest: id, arrived, at: new Date().toISOString(), id: fresh() }]);
    $("st-ticked").textContent = fill(arrived ? door.dataset.checkedIn : door.dataset.undone, { name: nameOf(id) });
    show();
    send();
  });
  async function send() {
    if (sending) return;
    sending = true;
    const ticks = memory.slice(0, 200);
    let again = true;
    try {
      const answer = ticks.length
        ? await fetch(door.dataset.url, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": csrf }, body: JSON.stringify({ device, ticks }) })
        : await fetch(door.dataset.url);
      if (answer.redirected || answer.status === 403) throw new Error(door.dataset.signedOut);
      if (answer.status === 404) throw new Error(door.dataset.removed);
      if (!answer.ok) throw new Error(door.dataset.unavailable);
      const now = await answer.json(), why = new Map(now.refused.map((one) => [one.id, one.why]));
      const sent = new Set(ticks.map((one) => one.id).filter((id) => !now.waiting.includes(id)));
      refused = [...refused, ...ticks.filter((one) => why.has(one.id)).map((one) => ({ who: nameOf(one.guest), arrived: one.arrived, why: why.get(one.id) }))];
      if (why.size) store(lost, refused);
      keep(memory.filter((one) => !sent.has(one.id)));
      again = sent.size > 0;
      trouble = "";
      const here = new Set(now.arrived);
      for (const tick of memory) tick.arrived ? here.add(tick.guest) : here.delete(tick.guest);
      for (const line of lines) press(line.id.slice(2), here.has(line.id.slice(2)));
      $("st-total").textContent = now.total;
    } catch (problem) {
      // stays stored for the next attempt
      again = false;
      trouble = problem instanceof TypeError || problem instanceof SyntaxError ? "" : problem.message;
    }
    sending = false;
    show();
    if (again && memory.length && navigator.onLine) send();
  }
  q.hidden = false;
  q.addEventListener("input", () => {
    // a phone number with or without its country code and spaces
    const number = /[\p{L}]/u.test(q.value) ? "" : q.value.replace(/\D/g, "").replace(/^0+/, "");
    const words = number.length > 3 ? [number] : fold(q.value).split(/\s+/).filter(Boolean);
    for (const line of lines) line.hidden = !words.every((word) => fold(line.dataset.words).includes(word));
    $("st-nobody").hidden = lines.some((one) => !one.hidden);
  });
  // Enter checks in the only guest that matches
  q.addEventListener("keydown", (event) => {
    const left = lines.filter((one) => !one.hidden);
    if (event.key !== "Enter" || left.length !== 1) return;
    event.preventDefault();
    left[0].firstElementChild.click();
    q.select();
  });
  if (earlier.length) keep(memory);
  try { localStorage.removeItem(`seat-ticks:${chart}`); localStorage.removeItem(`seat-refused:${chart}`); } catch { /* nothing is stored */ }
  for (const tick of memory) press(tick.guest, tick.arrived);
  addEventListener("online", send);
  setInterval(() => !document.hidden && send(), 8000);
  show();
  send();
  navigator.serviceWorker?.register(door.dataset.worker, { scope: "/app/seat/" }).catch(() => {});
})();
