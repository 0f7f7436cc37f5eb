// The door's list without a connection: each tick is kept here under an id of its own until the server has it, so that
// sending it twice is sending it once. The page itself is kept by a worker.
(() => {
  const door = document.querySelector(".st-door");
  if (!door) return;
  const $ = (id) => document.getElementById(id);
  const key = `seat-ticks:${door.dataset.chart}`, lines = [...door.querySelectorAll(".st-ticks li")];
  const csrf = document.querySelector("[name=csrfmiddlewaretoken]").value, q = $("st-door-q");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const kept = () => { try { return JSON.parse(localStorage.getItem(key)) || []; } catch { return []; } };
  const keep = (ticks) => { try { localStorage.setItem(key, JSON.stringify(ticks)); } catch { /* as long as the page is open */ } memory = ticks; };
  let memory = kept(), sending = false;
  let device = "";
  try { device = localStorage.getItem("seat-device") || `d${crypto.getRandomValues(new Uint32Array(2)).join("")}`; localStorage.setItem("seat-device", device); } catch { device = "browser"; }
  const fresh = () => [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(16)).join("");

  function show() {
    const pressed = lines.filter((one) => one.firstElementChild.getAttribute("aria-pressed") === "true").length;
    $("st-arrived").textContent = pressed;
    $("st-off").textContent = memory.length ? `${memory.length} not sent yet${navigator.onLine ? "" : ": no connection"}` : "";
  }
  function press(id, arrived) {
    $(`t-${id}`)?.firstElementChild.setAttribute("aria-pressed", arrived);
  }
  door.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const id = event.submitter.value, arrived = event.submitter.getAttribute("aria-pressed") !== "true";
    press(id, arrived);
    keep([...memory, { guest: id, arrived, at: new Date().toISOString(), id: fresh() }]);
    $("st-ticked").textContent = `${event.submitter.querySelector("bdi").textContent} ${arrived ? "has come" : "is not here"}`;
    show();
    send();
  });
  async function send() {
    if (sending) return;
    sending = true;
    const ticks = memory.slice(0, 200);
    try {
      const answer = ticks.length
        ? await fetch(door.dataset.url, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": csrf }, body: JSON.stringify({ device, ticks }) })
        : await fetch(door.dataset.url);
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      const now = await answer.json(), sent = new Set(ticks.map((one) => one.id));
      keep(memory.filter((one) => !sent.has(one.id)));
      const here = new Set(now.arrived);
      for (const tick of memory) tick.arrived ? here.add(tick.guest) : here.delete(tick.guest);
      for (const line of lines) press(line.id.slice(2), here.has(line.id.slice(2)));
      $("st-total").textContent = now.total;
    } catch { /* kept for the next time */ }
    sending = false;
    show();
    if (memory.length && navigator.onLine && memory.length !== ticks.length) send();
  }
  q.hidden = false;
  q.addEventListener("input", () => {
    const words = fold(q.value).split(/\s+/).filter(Boolean);
    for (const line of lines) line.hidden = !words.every((word) => fold(line.dataset.words).includes(word));
  });
  // Enter ticks who alone is left
  q.addEventListener("keydown", (event) => {
    const left = lines.filter((one) => !one.hidden);
    if (event.key !== "Enter" || left.length !== 1) return;
    event.preventDefault();
    left[0].firstElementChild.click();
    q.select();
  });
  for (const tick of memory) press(tick.guest, tick.arrived);
  addEventListener("online", send);
  setInterval(() => !document.hidden && send(), 8000);
  show();
  send();
  navigator.serviceWorker?.register(door.dataset.worker, { scope: "/app/seat/" }).catch(() => {});
})();
