// The table of a day: each change is saved when leaving the field, Enter goes to the next row, and rows move to their
// places without losing the one that is being edited.
(() => {
  const table = document.querySelector("[data-table]");
  if (!table) return;
  const body = table.querySelector("[data-rows]"), said = document.querySelector("[data-said]");
  const adding = document.getElementById("f-new");
  const fields = (form) => [...form.elements].filter((one) => one.classList.contains("input"));
  const row = (one) => one.closest("tr");
  const saved = new WeakMap(); // the value of a field when it was last saved

  function begin(scope) {
    scope.querySelectorAll("tr .input").forEach((one) => { if (!saved.has(one)) saved.set(one, one.defaultValue); });
  }

  function wrong(at, errors) {
    const note = at.querySelector("[data-wrong]"), told = [];
    at.querySelectorAll(".input").forEach((one) => {
      const text = errors[one.name];
      if (text) { one.setAttribute("aria-invalid", "true"); told.push(text); } else one.removeAttribute("aria-invalid");
    });
    for (const [name, text] of Object.entries(errors)) if (!told.includes(text)) told.push(name ? `${name}: ${text}` : text);
    note.textContent = told.join(" ");
    note.hidden = !told.length;
    if (told.length) said.textContent = note.textContent;
  }

  async function send(form, action) {
    const answer = await fetch(action || form.action, {
      method: "POST", body: new FormData(form), headers: { "HX-Request": "true" }, redirect: "error",
    });
    if (answer.status !== 200 && answer.status !== 422) throw new Error(`${answer.status}`);
    return answer.json();
  }

  // The rows from the server, around the one that is being edited.
  function settle(html) {
    const fresh = document.createElement("tbody");
    fresh.innerHTML = html;
    const active = document.activeElement && body.contains(document.activeElement) ? row(document.activeElement) : null;
    const wanted = [...fresh.children].map((one) => {
      const there = document.getElementById(one.id);
      if (!there || there !== active) return one;
      one.querySelectorAll(".input").forEach((now) => {
        const was = there.querySelector(`[name="${now.name}"]`);
        if (was !== document.activeElement && was.value === saved.get(was)) was.value = now.value;
        if (was.value === now.value) saved.set(was, now.value);
      });
      there.toggleAttribute("data-clash", one.hasAttribute("data-clash"));
      return there;
    });
    const place = wanted.indexOf(active);
    [...body.children].forEach((one) => { if (one !== active) one.remove(); });
    if (place < 0) body.replaceChildren(...wanted);
    else { active.before(...wanted.slice(0, place)); active.after(...wanted.slice(place + 1)); }
    begin(body);
  }

  function told(answer) {
    const bar = document.getElementById("bar");
    const open = bar.querySelector("details")?.open;
    bar.outerHTML = answer.bar;
    if (open) document.querySelector("#bar details")?.setAttribute("open", "");
    settle(answer.rows);
    said.textContent = answer.said || table.dataset.saved;
  }

  const waiting = new Map();
  async function save(form) {
    if (waiting.has(form)) { waiting.set(form, true); return; }
    const at = row(form), changed = fields(form).filter((one) => one.value !== saved.get(one));
    if (!changed.length) return;
    waiting.set(form, false);
    const sent = new Map(changed.map((one) => [one, one.value]));
    try {
      const answer = await send(form);
      wrong(at, answer.errors || {});
      if (!answer.errors) {
        sent.forEach((value, one) => saved.set(one, value));
        told(answer);
        const here = document.getElementById(`row-${answer.id}`);
        here?.classList.add("is-saved");
        setTimeout(() => here?.classList.remove("is-saved"), 900);
      }
    } catch {
      wrong(at, { "": table.dataset.offline });
    }
    const again = waiting.get(form);
    waiting.delete(form);
    if (again) save(form);
  }

  async function add() {
    const title = adding.elements.title;
    if (!title.value.trim()) { title.focus(); return; }
    if (adding.dataset.busy) return;
    adding.dataset.busy = "yes";
    const focused = document.activeElement, sent = new Map(fields(adding).map((one) => [one, one.value]));
    const isNew = (one) => one.value !== sent.get(one); // typed while the server responded: the next session
    try {
      const answer = await send(adding);
      wrong(row(adding), answer.errors || {});
      if (!answer.errors) {
        const { start_time: start, location: room } = adding.elements; // the next session is usually in the same room
        fields(adding).forEach((one) => { if (one !== room && !isNew(one)) one.value = one === start ? answer.next : ""; });
        told(answer);
        if (document.activeElement === focused) {
          title.focus();
          title.scrollIntoView({ block: "nearest" });
        }
      }
    } catch {
      wrong(row(adding), { "": table.dataset.offline });
    }
    delete adding.dataset.busy;
  }

  table.addEventListener("focusout", (event) => {
    const form = event.target.form;
    if (form?.matches("[data-row]") && event.target.classList.contains("input")) save(form);
  });
  table.addEventListener("keydown", (event) => {
    const one = event.target;
    if (!one.classList.contains("input")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (one.form === adding) { add(); return; }
      const next = row(one).nextElementSibling;
      const to = next ? next.querySelector(`[name="${one.name}"]`) : adding.elements.title;
      to.focus();
      to.select?.();
    } else if (event.key === "Escape" && one.form !== adding) {
      one.value = saved.get(one);
    }
  });
  table.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form !== adding && !form.matches?.("[data-row]")) return;
    event.preventDefault();
    if (form === adding) { add(); return; }
    if (!event.submitter?.matches("[data-remove]")) { save(form); return; }
    const at = row(form), next = at.nextElementSibling || at.previousElementSibling;
    try {
      const answer = await send(form, event.submitter.formAction);
      at.remove();
      told(answer);
      (next && document.getElementById(next.id)?.querySelector(".input") || adding.elements.title).focus();
      said.textContent = table.dataset.deleted;
    } catch {
      wrong(at, { "": table.dataset.offline });
    }
  }, true);
  begin(table);
})();
