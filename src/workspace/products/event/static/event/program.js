// On every page of a program: times in the reader's time zone, stars stored on this phone, and a copy for use without a
// connection. The program is complete without it.
(() => {
  const page = document.querySelector("[data-program]");
  if (!page) return;
  const words = page.dataset;
  const base = location.pathname.match(/^\/e\/[^/.]+/i)[0];
  const language = document.documentElement.lang, spoken = language === "en" ? "en-GB" : language;
  const all = (found, within = document) => [...within.querySelectorAll(found)];
  const told = (text, what) => text.replace("{what}", what);
  const lasting = (act) => { try { return act(); } catch { return null; } };  // a private window forgets

  // Times: a single function formats all of them, from the times that the server sent.
  const here = words.zone, own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const writers = new Map();
  const writer = (zone, how) => {
    const name = zone + JSON.stringify(how);
    if (!writers.has(name)) writers.set(name, new Intl.DateTimeFormat(how.locale || spoken, { timeZone: zone, ...how }));
    return writers.get(name);
  };
  const dateIn = (zone, at) => writer(zone, { locale: "en-CA", dateStyle: "short" }).format(at);
  const clockIn = (zone, at) => writer(zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
  const dayIn = (zone, at) => writer(zone, { weekday: "short" }).format(at);
  const nameOf = (zone) => writer(zone, { timeZoneName: "long" }).formatToParts(first || new Date()).find((part) => part.type === "timeZoneName").value;
  const placeOf = (zone) => zone.split("/").pop().replaceAll("_", " ");
  const times = () => all("time[datetime*=T]", page);
  const first = (() => { const time = times()[0]; return time && new Date(time.dateTime); })();
  let zone = here;

  function say(at) {
    const other = dateIn(zone, at) !== dateIn(here, at);
    return `${other ? `${dayIn(zone, at)} ` : ""}${clockIn(zone, at)}`;
  }
  const sayAll = () => times().forEach((time) => { time.textContent = say(new Date(time.dateTime)); });

  function zones() {
    const line = document.querySelector("[data-zones]");
    if (!line || !own) return;
    const instants = [...new Set(times().map((time) => time.dateTime))].map((text) => new Date(text));
    const local = (name, at) => `${dateIn(name, at)} ${clockIn(name, at)}`;
    if (instants.every((at) => local(here, at) === local(own, at))) return;
    // across a clock change, one name of the time zone would be wrong
    const offsets = (name) => new Set(instants.map((at) => writer(name, { timeZoneName: "longOffset" }).formatToParts(at).find((part) => part.type === "timeZoneName").value));
    const changes = (name) => offsets(name).size > 1;
    const button = document.createElement("button");
    button.type = "button";
    const turn = (chosen) => {
      zone = chosen;
      const other = zone === here ? own : here;
      line.firstElementChild.textContent = changes(zone) ? words.timesIn.replace("{place}", placeOf(zone)) : told(words.times, `${nameOf(zone)} (${placeOf(zone)})`);
      button.textContent = told(words.turn, changes(other) ? placeOf(other) : nameOf(other));
      sayAll();
      document.dispatchEvent(new Event("program-zone"));
    };
    button.addEventListener("click", () => {
      turn(zone === here ? own : here);
      lasting(() => localStorage.setItem("program-zone", zone === own ? "own" : "its"));
    });
    line.append(" ", button);
    turn(lasting(() => localStorage.getItem("program-zone")) === "own" ? own : here);
  }

  // Stars: {session: when it started at the time it was starred, in minutes}.
  const KEY = `program-${words.program}`;
  let kept = { stars: {} };
  const read = () => {
    const found = lasting(() => JSON.parse(localStorage.getItem(KEY)));
    if (found && typeof found.stars === "object" && found.stars) kept = found;
  };
  const keep = () => lasting(() => { localStorage.setItem(KEY, JSON.stringify(kept)); return true; });
  const slots = all(".slot[id]", page);
  const begins = (item) => Number(item.dataset.s || 0);  // minutes, 0 for untimed

  function mark(item) {
    const { id } = item, on = id in kept.stars, button = item.querySelector(":scope > .star");
    button.setAttribute("aria-pressed", on);
    button.textContent = on ? "★" : "☆";
    item.toggleAttribute("data-on", on);
    let was = item.querySelector(":scope > .was");
    const moved = on && kept.stars[id] > 0 && kept.stars[id] !== begins(item);
    if (!moved) { if (was) was.remove(); return; }
    if (!was) {
      was = document.createElement("p");
      was.className = "was";
      item.append(was);
    }
    const at = kept.stars[id] * 60000, now = begins(item) * 60000;
    const day = !now || dateIn(zone, at) !== dateIn(zone, now) ? `${dayIn(zone, at)} ` : "";
    was.textContent = told(words.was, day + clockIn(zone, at));
  }

  function count() {
    const ids = Object.keys(kept.stars);
    all("[data-mine-count]").forEach((place) => { place.textContent = ids.length; });
    all("[data-mine]").forEach((place) => { place.hidden = !ids.length; });
    document.dispatchEvent(new Event("program-stars"));
  }
  const showStars = () => { slots.forEach(mark); count(); };

  function toggle(item) {
    read();  // another window on the same phone may have added stars in the meantime
    const { id } = item, on = !(id in kept.stars);
    if (on) kept.stars[id] = begins(item); else delete kept.stars[id];
    keep();
    showStars();
    if (on) send("/star", { session: id }).catch(() => {});
    follow();
  }

  function send(path, fields) {
    return fetch(base + path, { method: "POST", body: new URLSearchParams(fields) }).then((answer) => {
      if (!answer.ok) throw answer;
      return answer.json();
    });
  }

  // The personal calendar, created on request. From then on, the server stores these stars, and the page says so.
  let soon;
  function follow() {
    if (!kept.token) return;
    kept.owed = true;
    keep();
    clearTimeout(soon);
    soon = setTimeout(deliver, 1500);
  }
  function deliver() {
    if (!kept.token || !kept.owed) return;
    const sent = Object.keys(kept.stars).join();
    send("/my", { token: kept.token, key: kept.key, sessions: sent }).then(() => {
      if (sent === Object.keys(kept.stars).join()) { delete kept.owed; keep(); }
    }).catch((answer) => { if (answer.status === 404) { delete kept.token; delete kept.key; delete kept.owed; keep(); along(); } });
  }
  function along() {
    const place = document.querySelector("[data-along]");
    if (!place) return;
    place.hidden = !kept.token;
    document.querySelector("[data-take]").hidden = Boolean(kept.token);
    if (!kept.token) return;
    const way = `${location.origin}${base}/my/${kept.token}`;
    place.querySelector("[data-way]").href = way;
    place.querySelector("[data-way]").textContent = way.replace(/^https?:\/\//, "");
    place.querySelector("img").src = `${way}.svg`;
    place.querySelector("[data-feed]").href = `${way.replace(/^https?:/, "webcal:")}.ics`;
    place.querySelector("[data-file]").href = `${way}.ics`;
  }
  function take(button) {
    button.disabled = true;
    send("/my", { sessions: Object.keys(kept.stars).join() }).then((made) => {
      Object.assign(kept, made);
      keep();
      along();
    }).catch((answer) => {
      const told = document.querySelector("[data-refused]");
      told.textContent = (answer.status === 429 ? words.often : words.offline);
      told.hidden = false;
    }).finally(() => { button.disabled = false; });
  }

  // From another phone: this page lists the sessions starred there.
  function arrive() {
    const place = document.querySelector("[data-arrived]");
    if (!place) return;
    slots.filter((item) => !(item.id in kept.stars)).forEach((item) => { kept.stars[item.id] = begins(item); });
    if (slots.length && keep()) place.hidden = false;
    follow();
  }

  read();
  slots.forEach((item) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "star";
    button.setAttribute("aria-label", told(words.star, (item.querySelector("a, h1") || item).textContent.trim()));
    item.append(button);
  });
  document.addEventListener("click", (event) => {
    const star = event.target.closest(".star"), taken = event.target.closest("[data-take]");
    if (star) toggle(star.parentElement);
    if (taken) take(taken);
  });
  addEventListener("storage", (event) => { if (event.key === KEY) { read(); showStars(); } });
  addEventListener("online", deliver);
  document.addEventListener("program-zone", () => slots.forEach(mark));
  arrive();
  showStars();
  along();
  zones();
  deliver();
  // The page has shown what was rescheduled, so that is now known.
  const single = slots.find((item) => item.matches("article"));
  if (single && single.id in kept.stars) { kept.stars[single.id] = begins(single); keep(); }

  // If the worker used its copy, say how old it is.
  const since = document.documentElement.dataset.asOf, note = document.querySelector("[data-old]");
  if (since && note) { note.textContent = told(words.asOf, clockIn(own || here, new Date(since))); note.hidden = false; }
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(`${base}/sw.js`, { scope: base }).catch(() => {});
})();
