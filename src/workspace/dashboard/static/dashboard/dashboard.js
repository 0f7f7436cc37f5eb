// What scripts add to pages that work without them: menus that close, dialogs, copying, dismissing, submitting a form
// only once. Texts come from the attributes of the script element, so that they are translated with the page.
(() => {
  const texts = document.currentScript.dataset;
  const root = document.documentElement;
  const closest = (event, selector) => event.target instanceof Element ? event.target.closest(selector) : null;

  function prepare(scope) {
    scope.querySelectorAll("[data-copy], [data-dismiss], [data-theme-toggle]").forEach((one) => { one.hidden = false; });
    const focus = scope.querySelector("[data-focus]");
    if (focus) focus.focus();
    // on a phone, the current tab may be outside the visible area
    scope.querySelectorAll(".tab-links [aria-current]").forEach((tab) => {
      const bar = tab.closest(".tab-links"), at = tab.getBoundingClientRect(), seen = bar.getBoundingClientRect();
      if (at.left < seen.left || at.right > seen.right) bar.scrollLeft += at.left - seen.left - (seen.width - at.width) / 2;
    });
    scope.querySelectorAll(".toasts").forEach((toasts) => setTimeout(() => toasts.classList.add("settled"), 9000));
  }

  // If the URL has a fragment, scroll its target below the messages, so that it is not hidden behind them.
  function uncover() {
    const toasts = document.querySelector(".toasts"), target = document.querySelector(":target");
    if (!toasts || !target || toasts.contains(target)) return;
    const hidden = toasts.getBoundingClientRect().bottom + 12 - target.getBoundingClientRect().top;
    if (hidden > 0) scrollBy({ top: -hidden, behavior: "instant" });
  }
  window.addEventListener("load", uncover);

  function nameLook() {
    document.querySelectorAll("[data-theme-label]").forEach((label) => {
      label.textContent = root.classList.contains("dark") ? texts.lightMode : texts.darkMode;
    });
  }

  async function copy(button) {
    const label = button.querySelector("[data-copy-label]");
    const before = label.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      label.textContent = texts.copied;
    } catch {
      // Browsers allow access to the clipboard only over HTTPS. Otherwise, select the text for the person.
      const text = button.parentElement.querySelector(".copy-text");
      if (text) getSelection().selectAllChildren(text);
      label.textContent = text ? texts.pressCopyKeys : texts.copyFailed;
    }
    button.setAttribute("aria-live", "polite");
    setTimeout(() => { label.textContent = before; }, 2000);
  }

  // a chosen own page becomes the address in its input
  document.addEventListener("change", (event) => {
    const choice = closest(event, "[data-fills]");
    const input = choice && document.getElementById(choice.dataset.fills);
    if (!input || !choice.value) return;
    input.value = choice.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

  document.addEventListener("click", (event) => {
    const copied = closest(event, "[data-copy]");
    if (copied) copy(copied);
    const gone = closest(event, "[data-dismiss]");
    if (gone) gone.closest(".note").remove();
    if (closest(event, "[data-theme-toggle]")) window.toggleLook();
    const opener = closest(event, "[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (dialog && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      dialog.showModal();
    }
    if (event.target instanceof HTMLDialogElement) event.target.close(); // the backdrop
    document.querySelectorAll("details[data-menu][open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details[data-menu][open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // The server treats a double submit as one. This spares people the wait and the doubt.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || event.submitter?.formMethod === "dialog") return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
    setTimeout(() => free(form), 8000); // a download leaves the page open
  });
  function free(form) {
    delete form.dataset.sent;
    form.removeAttribute("aria-busy");
  }
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    document.querySelectorAll("form[data-sent]").forEach(free);
  });

  // A part that could not be loaded says so. The rest of the page still works.
  function complain(text) {
    const note = document.createElement("div");
    note.className = "note";
    note.dataset.kind = "error";
    note.setAttribute("role", "alert");
    note.textContent = text;
    let toasts = document.querySelector(".toasts");
    if (!toasts) {
      toasts = document.createElement("div");
      toasts.className = "toasts";
      document.getElementById("content").prepend(toasts);
    }
    toasts.replaceChildren(note);
    setTimeout(() => note.remove(), 10000);
  }
  document.addEventListener("htmx:responseError", (event) => complain(event.detail.xhr.status === 503 ? texts.unavailable : texts.failed));
  document.addEventListener("htmx:sendError", () => complain(texts.offline));

  // focus what was just added, because people continue to type there
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches("details.add")) requestAnimationFrame(() => target.querySelector("input:not([type=hidden]), textarea, select").focus());
  }, true);

  addEventListener("load", () => { document.documentElement.dataset.loaded = ""; });
  document.addEventListener("look", nameLook);
  document.addEventListener("htmx:load", (event) => { if (event.target !== document.body) prepare(event.target); });
  prepare(document);
  nameLook();
})();
