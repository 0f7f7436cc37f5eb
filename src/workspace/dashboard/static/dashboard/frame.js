// What scripts add to the pages of an item: the phone preview follows what is typed, unsaved changes ask before
// leaving, the system's share sheet, and a preview of the paper to print.
(() => {
  const phone = document.querySelector("iframe[name=phone]");
  const holdsWork = (form) => form.matches("main form[method=post]") && !form.closest("dialog:not(.sheet), .note") && !("plain" in form.dataset) && form.querySelector(".input, .textarea, .select, [type=radio]");
  const state = (form) => [...new FormData(form)].filter(([name]) => !/^(csrf|_once)/.test(name)).map(([name, value]) => `${name}=${value instanceof File ? value.name : value}`).join("\n");
  const before = new Map();
  const watch = (scope) => [...scope.querySelectorAll("form")].filter(holdsWork).forEach((form) => before.set(form, state(form)));
  watch(document);
  document.addEventListener("htmx:load", (event) => { if (event.target !== document.body) watch(event.target); });
  let leaving = false, timer;

  // The guest page with unsaved changes: the form's own fields are sent into the frame.
  function draft(form) {
    const copy = document.createElement("form");
    copy.method = "post";
    copy.action = phone.getAttribute("src");
    copy.target = "phone";
    copy.hidden = true;
    for (const [name, value] of new FormData(form)) {
      if (value instanceof File) continue;
      const field = document.createElement("textarea");
      field.name = name;
      field.value = value;
      copy.append(field);
    }
    phone.loading = "eager"; // a frame that has waited to become visible would load over it
    document.body.append(copy);
    HTMLFormElement.prototype.submit.call(copy);
    copy.remove();
  }

  function changed(event) {
    const form = event.target.form;
    if (!phone || !form || !("drafts" in form.dataset)) return;
    clearTimeout(timer);
    timer = setTimeout(() => { if (isShown()) draft(form); else waiting = form; }, 450);
  }
  // a preview that is not open gets what was typed when it opens
  let waiting;
  const isShown = () => !phone.checkVisibility || phone.checkVisibility();
  document.getElementById("phone")?.addEventListener("toggle", (event) => {
    if (event.newState !== "open" || !waiting) return;
    draft(waiting);
    waiting = null;
  });
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);
  // a part that was saved without leaving the page: its draft is now saved, except for pictures
  document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, requestConfig } = event.detail;
    if (phone && successful && requestConfig.verb !== "get" && (!event.target.closest("[data-drafts]") || event.target.enctype === "multipart/form-data")) phone.src = phone.getAttribute("src");
  });

  // a picture is uploaded as soon as it is selected, so it is not sent again, and the page shows it
  document.addEventListener("htmx:afterSwap", (event) => {
    const chosen = event.detail.elt;
    const taken = event.target.matches?.(".taken") && event.target.querySelector("[type=hidden]");
    if (!taken) return;
    const from = document.querySelector(`[hx-target="#${event.target.id}"]`) || chosen;
    if (from.type === "file") from.value = "";
    taken.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // a step of the page: what is typed next is shown on it
  document.querySelectorAll("a[target=phone]").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    phone.src = link.href;
    const form = document.querySelector("form[data-drafts]");
    if (form && state(form) !== before.get(form)) draft(form);
  }));
  document.addEventListener("submit", () => { leaving = true; setTimeout(() => { leaving = false; }, 3000); });
  addEventListener("beforeunload", (event) => {
    if (!leaving && [...before].some(([form, was]) => form.isConnected && state(form) !== was)) event.preventDefault();
  });

  const paper = document.querySelector("form.paper");
  if (paper) paper.addEventListener("change", () => {
    const asked = new URLSearchParams(new FormData(paper));
    if (!asked.get("design")) asked.delete("design");
    asked.set("format", "png");
    const seen = document.getElementById("paper-seen");
    seen.src = `${seen.getAttribute("src").split("?")[0]}?${asked}`;
  });

  document.querySelectorAll("[data-share]").forEach((button) => {
    if (!navigator.share) return;
    button.hidden = false;
    button.addEventListener("click", () => navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {}));
  });
})();
