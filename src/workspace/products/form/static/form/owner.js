// What scripts add to a form's questions: dragging them into order, also to another page, and opening one at a time.
// Without scripts, arrows move them, and a question opens on a separate page.
(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const said = (form) => JSON.stringify([...new FormData(form)]);
  const phone = document.querySelector("iframe[name=phone]");
  let opened = null, untouched = "";

  document.addEventListener("htmx:load", ({ target }) => {
    all("[data-keys]", target).forEach(insertable);
    [target, ...all("form", target)].filter((one) => one.matches(".fo-form[data-drafts]")).forEach(see);
    const form = target.matches(".fo-form") ? target : null;
    if (!form) {
      if (opened && !opened.isConnected) opened = null; // the updated list: it is saved
      return;
    }
    const again = opened && !opened.isConnected && opened.action === form.action; // rendered again for another type of
                                                                                  // answer
    opened = form;
    untouched = again && (form.querySelector("[name=label]")?.value ?? "a rule") ? "" : said(form);
    (form.querySelector("[aria-invalid=true], [data-here]") || form.querySelector("input:not([type=hidden]), textarea, select")).focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  });
  // Questions are typed where guests will read them. Enter saves one, and the next is typed below it.
  const findQuickForm = (list) => list.querySelector(".fo-quick");
  function typeNextAfter(row) {
    const page = row.closest("[data-page]"), next = findQuickForm(page), former = next.closest(".fo-slot");
    if (row.matches(":last-of-type, :has(+ .fo-slot:last-child)")) page.querySelector(".fo-new").before(next);
    else {
      const slot = document.createElement("li");
      slot.className = "fo-slot";
      slot.append(next);
      row.after(slot);
    }
    former?.remove();
    next.elements._after.value = row.dataset.key;
    next.elements.label.focus();
    next.scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLTextAreaElement) || !("oneLine" in field.dataset) || event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    typeNextAfter(field.closest("[data-key]")); // leaving the field saves it
  });
  // the next question can be typed while the former one is being saved
  let submittedText = "", typedAhead = "";
  const findQuickField = (event) => event.target instanceof Element && event.target.matches("[data-quick]") && event.target.elements.label;
  document.addEventListener("htmx:beforeSend", (event) => {
    const field = findQuickField(event);
    if (!field) return;
    submittedText = field.value;
    field.value = "";
  });
  for (const problem of ["htmx:responseError", "htmx:sendError"]) document.addEventListener(problem, (event) => {
    const field = findQuickField(event);
    if (field && event.detail.xhr?.status !== 422) field.value = submittedText + field.value;
  });
  document.addEventListener("htmx:beforeSwap", (event) => { typedAhead = findQuickField({ target: event.detail.requestConfig?.elt })?.value || ""; });
  document.addEventListener("htmx:load", ({ target }) => {
    const list = target.matches("#questions") ? target : null, key = list?.dataset.continue;
    if (key) {
      const row = document.getElementById(`q-${key}`);
      findQuickForm(row.closest("[data-page]")).elements.label.value = typedAhead;
      typeNextAfter(row);
    }
    list?.querySelector("textarea[data-focus]")?.focus();
  });

  // inserts a field that a formula can use at the cursor
  function insertable(list) {
    const field = document.getElementById(list.dataset.keys);
    field.setSelectionRange(field.value.length, field.value.length);
    all("li", list).forEach((line) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn";
      Object.assign(button.dataset, { variant: "outline", size: "sm" });
      button.append(...line.childNodes);
      line.replaceChildren(button);
      button.addEventListener("click", () => {
        field.setRangeText(button.querySelector("code").textContent, field.selectionStart, field.selectionEnd, "end");
        field.focus();
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
    });
  }

  // the preview shows the page of the open question, with the question on it
  function see(form) {
    if (!phone) return;
    const typed = new FormData(form), url = new URL(phone.src);
    url.searchParams.set("step", typed.get("_question") || `@${typed.get("_page")}`);
    if (phone.src !== url.href) phone.src = url.href;
  }
  phone?.addEventListener("load", () => {
    const step = new URL(phone.src).searchParams.get("step");
    if (!step) return;
    const asked = all("[data-key]", phone.contentDocument);
    const field = step.startsWith("@") ? asked.at(-1) : asked.find((one) => one.dataset.key === step);
    if (field) phone.contentWindow.scrollTo(0, phone.contentWindow.scrollY + field.getBoundingClientRect().top - 90);
  });
  const shut = () => { opened.closest(".fo-edit")?.replaceChildren(); opened = null; };
  // a form without changes closes, and one with changes is shown, so that they are not lost
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (!opened?.isConnected || opened.contains(elt) || elt.matches(".fo-ask")) return;
    if (said(opened) !== untouched) {
      event.preventDefault();
      opened.scrollIntoView({ block: "center" });
      opened.querySelector("[type=submit]").focus();
    } else if (requestConfig.verb === "get") {
      const again = opened.closest(".fo-row")?.contains(elt);
      shut();
      if (again) event.preventDefault(); // clicking its name opens and closes it
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest(".fo-edit [data-shut]");
    if (!link) return;
    event.preventDefault();
    const name = link.closest(".fo-row, .fo-new, .fo-page").querySelector(".fo-facts a, .fo-main a, :scope > .btn");
    link.closest(".fo-edit").replaceChildren();
    name.focus();
  });

  // all pages and questions in their order, with "@" before a page
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
    // on the document, because moving an element loses every pointer capture
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
