// What script adds to a form's questions: dragging them into order, also to another page, and one that is open at a time.
// Without it the arrows move, and a question opens on a page of its own.
(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const said = (form) => JSON.stringify([...new FormData(form)]);
  let opened = null, untouched = "";

  document.addEventListener("htmx:load", ({ target }) => {
    const form = target.matches(".fo-form") ? target : null;
    if (!form) {
      if (opened && !opened.isConnected) opened = null; // the list anew: it is saved
      return;
    }
    const again = opened && !opened.isConnected && opened.action === form.action; // drawn anew for another kind of answer
    opened = form;
    untouched = again && (form.querySelector("[name=label]")?.value ?? "a rule") ? "" : said(form);
    (form.querySelector("[aria-invalid=true], [data-here]") || form.querySelector("input:not([type=hidden]), textarea, select")).focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  });
  const shut = () => { opened.closest(".fo-edit")?.replaceChildren(); opened = null; };
  // what holds no work makes room, what does is shown instead of being lost
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (!opened || !opened.isConnected || opened.contains(elt)) return;
    if (said(opened) !== untouched) {
      event.preventDefault();
      opened.scrollIntoView({ block: "center" });
      opened.querySelector("[type=submit]").focus();
    } else if (requestConfig.verb === "get") {
      const again = opened.closest(".fo-row")?.contains(elt);
      shut();
      if (again) event.preventDefault(); // its name opened it, and shuts it
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest(".fo-edit [data-shut]");
    if (!link) return;
    event.preventDefault();
    const name = link.closest(".fo-row, .fo-new, .fo-page").querySelector(".fo-main a, :scope > .btn");
    link.closest(".fo-edit").replaceChildren();
    name.focus();
  });

  // all pages and questions as they stand, "@" before a page
  function keep() {
    const form = document.getElementById("order");
    all("input[name=order]", form).forEach((one) => one.remove());
    all("#questions [data-page]").forEach((page) => {
      [`@${page.dataset.page}`, ...all("[data-key]", page).map((one) => one.dataset.key)].forEach((value) => {
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name: "order", value });
        form.append(field);
      });
    });
    window.htmx.trigger(form, "reordered");
  }
  const places = () => all("#questions [data-key]").map((one) => `${one.parentElement.closest("[data-page]").dataset.page} ${one.dataset.key}`).join();
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target instanceof Element && event.target.closest(".fo-grip");
    if (!grip || event.button) return;
    event.preventDefault();
    const one = grip.closest("[data-key]"), before = places();
    one.classList.add("is-dragged");
    const move = (now) => {
      const lists = all("#questions [data-list]");
      const list = lists.findLast((other) => other.closest("[data-page]").getBoundingClientRect().top <= now.clientY) || lists[0];
      const next = all(":scope > [data-key]", list).find((other) => {
        const box = other.getBoundingClientRect();
        return other !== one && now.clientY < box.top + box.height / 2;
      });
      list.insertBefore(one, next || null);
      if (now.clientY < 70) scrollBy(0, -12);
      if (now.clientY > innerHeight - 70) scrollBy(0, 12);
    };
    // on the document: what is moved within it loses every capture
    const end = () => {
      document.removeEventListener("pointermove", move);
      ["pointerup", "pointercancel"].forEach((name) => document.removeEventListener(name, end));
      one.classList.remove("is-dragged");
      if (places() !== before) keep();
    };
    document.addEventListener("pointermove", move);
    ["pointerup", "pointercancel"].forEach((name) => document.addEventListener(name, end));
  });
})();
