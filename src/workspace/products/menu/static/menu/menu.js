// What scripts add to the editor: finding an item while typing, and dragging into order. The arrows of a dish's form
// work without them.
(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const find = document.querySelector("[data-find]");
  if (find) {
    find.addEventListener("input", () => {
      const words = find.value.trim().toLowerCase();
      all(".fold-section").forEach((section) => {
        const items = all(".mn-item", section), fold = section.querySelector("details");
        items.forEach((item) => { item.hidden = !item.querySelector("h3").textContent.toLowerCase().includes(words); });
        section.hidden = Boolean(words) && items.every((item) => item.hidden);
        // all sections with results are open during the search, and as before after it
        if (words && !fold.dataset.searched) fold.dataset.searched = fold.open ? "open" : "closed";
        if (fold.dataset.searched) fold.open = Boolean(words) || fold.dataset.searched === "open";
        if (!words) delete fold.dataset.searched;
      });
      document.querySelector("[data-none]").hidden = all(".fold-section").some((section) => !section.hidden);
    });
  }

  const board = document.querySelector("[data-order]");
  if (!board) return;

  // What can be dragged. The arrows of an open dish do the same without scripts.
  function grips(scope) {
    const rows = scope.matches?.("[data-id]") ? [scope] : all("[data-id]", scope);
    rows.forEach((row) => {
      const grip = document.createElement("button");
      grip.type = "button";
      grip.className = "mn-grip";
      grip.dataset.grip = "";
      grip.textContent = "⠿";
      grip.setAttribute("aria-label", board.dataset.dragLabel.replace("{name}", () => row.querySelector("h2, h3").textContent.trim()));
      row.prepend(grip);
    });
  }
  grips(document);
  document.addEventListener("htmx:load", (event) => { if (event.target !== document.body) grips(event.target); });

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
