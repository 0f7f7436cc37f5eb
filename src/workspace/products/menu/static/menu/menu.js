// What script adds to the editor: finding an item while typing, and dragging into order. The arrows work without it.
(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const find = document.querySelector("[data-find]");
  if (find) {
    all("[data-script]").forEach((one) => { one.hidden = false; });
    find.addEventListener("input", () => {
      const words = find.value.trim().toLowerCase();
      all(".mn-section").forEach((section) => {
        const items = all(".mn-item", section);
        items.forEach((item) => { item.hidden = !item.dataset.name.includes(words); });
        section.hidden = Boolean(words) && items.every((item) => item.hidden);
      });
      document.querySelector("[data-none]").hidden = all(".mn-section").some((section) => !section.hidden);
    });
  }

  const board = document.querySelector("[data-order]");
  if (!board) return;
  const show = (scope) => all("[data-grip]", scope).forEach((grip) => { grip.hidden = false; });
  show(document);
  document.addEventListener("htmx:load", (event) => show(event.target));

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
    // on the document: what is moved within it loses every capture
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
