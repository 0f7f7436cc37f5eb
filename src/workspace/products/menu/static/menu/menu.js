// What scripts add to the editor: finding an item while typing, and dragging into order. The arrows of an open dish
// work without them.
(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const find = document.querySelector("[data-find]");
  if (find) {
    all("[data-script]").forEach((one) => { one.hidden = false; });
    find.addEventListener("input", () => {
      const words = find.value.trim().toLowerCase();
      all(".mn-section").forEach((section) => {
        const items = all(".mn-item", section);
        items.forEach((item) => { item.hidden = !item.querySelector("h3").textContent.toLowerCase().includes(words); });
        section.hidden = Boolean(words) && items.every((item) => item.hidden);
      });
      document.querySelector("[data-none]").hidden = all(".mn-section").some((section) => !section.hidden);
    });
  }

  const board = document.querySelector("[data-order]");
  if (!board) return;

  // What can be dragged. The arrows of an open dish do the same without scripts.
  function grips(scope) {
    const rows = scope.matches?.("[data-id]") ? [scope] : all("[data-id]", scope);
    rows.filter((row) => !row.matches(".mn-open")).forEach((row) => {
      const grip = document.createElement("button"), place = row.matches("section") ? row.querySelector("header") : row;
      grip.type = "button";
      grip.className = "mn-grip";
      grip.dataset.grip = "";
      grip.textContent = "⠿";
      grip.setAttribute("aria-label", board.dataset.dragLabel.replace("{name}", () => row.querySelector("h2, h3").textContent.trim()));
      place.prepend(grip);
    });
  }
  grips(document);

  // One form is open at a time: another form without changes closes, and one with changes is shown.
  const fields = (form) => JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]));
  let opened = null, untouched = "";
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (!opened?.isConnected || opened.contains(elt) || requestConfig.verb !== "get" || elt.closest("form")) return;
    if (fields(opened) === untouched) { shut(); return; }
    event.preventDefault();
    opened.scrollIntoView({ block: "center" });
    opened.querySelector("[type=submit]").focus();
  });
  function shut() {
    const close = opened.querySelector("[data-close]");
    if (close.hasAttribute("hx-get")) close.click(); else opened.closest("[id$=-edit]").replaceChildren();
    opened = null;
  }
  document.addEventListener("htmx:load", (event) => {
    const scope = event.target;
    if (scope === document.body) return;
    grips(scope);
    const form = scope.matches(".mn-open, .mn-form") ? scope.querySelector("form") : null;
    if (!form) return;
    opened = form;
    untouched = fields(form);
    (form.querySelector("[aria-invalid=true]") || form.querySelector(".input:not([type=hidden])")).focus();
  });
  board.addEventListener("click", (event) => {
    const close = event.target.closest("[data-close]:not([hx-get])");
    if (!close) return;
    event.preventDefault();
    close.closest("[id$=-edit]").replaceChildren();
  });

  async function keep(list) {
    const body = new URLSearchParams(all(":scope > [data-id]", list).map((one) => ["id", one.dataset.id]));
    if (list.dataset.section) body.append("section_id", list.dataset.section);
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    try {
      const answer = await fetch(board.dataset.order, { method: "POST", body, headers: { "X-CSRFToken": token } });
      if (answer.status !== 204) location.reload();
    } catch { location.reload(); }
  }

  board.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button) return;
    event.preventDefault();
    const one = grip.closest("[data-id]"), list = one.parentElement;
    const before = all(":scope > [data-id]", list).indexOf(one);
    one.classList.add("is-dragged");
    const move = (now) => {
      const others = all(":scope > [data-id]", list).filter((other) => other !== one);
      const next = others.find((other) => {
        const box = other.getBoundingClientRect();
        return now.clientY < box.top + box.height / 2;
      });
      list.insertBefore(one, next || null);
    };
    // on the document, because moving an element loses every pointer capture
    const end = () => {
      document.removeEventListener("pointermove", move);
      ["pointerup", "pointercancel"].forEach((name) => document.removeEventListener(name, end));
      one.classList.remove("is-dragged");
      if (all(":scope > [data-id]", list).indexOf(one) !== before) keep(list);
    };
    document.addEventListener("pointermove", move);
    ["pointerup", "pointercancel"].forEach((name) => document.addEventListener(name, end));
  });
})();
