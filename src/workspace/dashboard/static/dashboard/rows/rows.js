// What scripts add to long lists: sections that stay open, chips that follow the page, and the sheet for one item. A
// link with hx-target="#sheet-content" opens the sheet, and without scripts its own page.
(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];

  // Sections that were open stay open until the tab is closed. A section opens when something inside of it is linked.
  const folds = () => all(".fold-section > details");
  const key = `folds:${location.pathname}`;
  const held = (() => { try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; } })();
  if (held) folds().forEach((fold) => { fold.open = held.includes(fold.parentElement.id); });
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches(".fold-section > details") || target.dataset.searched) return;
    const opened = folds().filter((fold) => fold.open).map((fold) => fold.parentElement.id);
    try { sessionStorage.setItem(key, JSON.stringify(opened)); } catch { /* a private window forgets */ }
  }, true);
  function reveal() {
    const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    const fold = target?.closest(".fold-section")?.querySelector("details");
    if (!fold) return;
    fold.open = true;
    // browsers lay out opened sections only in a later frame
    const grown = new ResizeObserver(() => target.scrollIntoView());
    grown.observe(fold.closest(".fold-sections"));
    setTimeout(() => grown.disconnect(), 1000);
  }
  addEventListener("hashchange", reveal);
  reveal();

  const chips = all(".jump-chips a");
  chips.forEach((chip) => chip.addEventListener("click", () => {
    const fold = document.getElementById(chip.hash.slice(1))?.querySelector("details");
    if (fold) fold.open = true;
  }));
  if (chips.length) {
    const seen = new Set();
    const watch = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => (isIntersecting ? seen.add(target.id) : seen.delete(target.id)));
      const now = chips.find((chip) => seen.has(chip.hash.slice(1)));
      if (!now || now.hasAttribute("aria-current")) return;
      chips.forEach((chip) => chip.removeAttribute("aria-current"));
      now.setAttribute("aria-current", "true");
      const bar = now.parentElement;
      bar.scrollTo({ left: bar.scrollLeft + now.getBoundingClientRect().left - bar.getBoundingClientRect().left - 16 });
    }, { rootMargin: "-15% 0px -75%" });
    all(".fold-section").forEach((section) => watch.observe(section));
  }

  const sheet = document.getElementById("sheet");
  if (!sheet) return;
  const content = document.getElementById("sheet-content"), leave = sheet.querySelector(".sheet-leave");
  const phone = document.querySelector("iframe[name=phone]");
  const fields = (form) => JSON.stringify([...new FormData(form)].filter(([name]) => !name.startsWith("_once")).map(([name, value]) => [name, value instanceof File ? value.name : value]));
  let opener = "", untouched = "";
  const form = () => content.querySelector("form.sheet-form");
  const changed = () => form() && fields(form()) !== untouched;

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { detail } = event;
    if (detail.target === content && !sheet.contains(detail.elt)) opener = (detail.elt.id ? detail.elt : detail.elt.closest("[id]")).id;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const { detail } = event;
    if (detail.target !== content || !content.firstElementChild) return;
    const again = sheet.open;
    leave.hidden = true;
    if (!again) { sheet.showModal(); untouched = fields(form()); }
    const wrong = content.querySelector("[data-focus], [aria-invalid=true]");
    const first = matchMedia("(pointer: fine)").matches && content.querySelector(".input:not([type=hidden])");
    (wrong || first || content.querySelector("h2")).focus();
    content.querySelector(".sheet-body").scrollTop = 0;
  });
  // saved: the server has replaced the row instead of the sheet
  document.addEventListener("htmx:afterRequest", (event) => {
    const { detail } = event;
    if (sheet.open && detail.successful && detail.requestConfig.verb !== "get" && sheet.contains(detail.elt) && !content.contains(detail.target)) sheet.close();
  });
  function ask(event) {
    event.preventDefault();
    if (!changed()) { sheet.close(); return; }
    leave.hidden = false;
    leave.querySelector("button").focus();
  }
  sheet.addEventListener("cancel", (event) => { if (event.target === sheet) ask(event); });
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) event.stopPropagation(); // or the page closes it without asking
    if (event.target === sheet || event.target.closest("[data-sheet-close]")) ask(event);
    else if (event.target.closest("[data-sheet-discard]")) { if (phone) phone.src = phone.getAttribute("src"); sheet.close(); }
    else if (event.target.closest("[data-sheet-stay]")) { leave.hidden = true; content.querySelector(".input:not([type=hidden])").focus(); }
  });
  sheet.addEventListener("close", (event) => {
    if (event.target !== sheet) return;
    content.replaceChildren();
    leave.hidden = true;
    const back = document.getElementById(opener);
    (back?.matches("a, button") ? back : back?.querySelector("a"))?.focus({ preventScroll: true });
  });
})();
