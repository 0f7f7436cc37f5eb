// What script adds: dragging the list into order, and a preview of what is being typed. Without it the arrows move and
// the preview shows what is saved.
(() => {
  const frame = document.getElementById("preview");

  function sort(scope) {
    scope.querySelectorAll("[data-sortable]").forEach((list) => {
      if (window.Sortable && !list.dataset.ready) {
        list.dataset.ready = "yes";
        new window.Sortable(list, {
          handle: ".lk-handle",
          animation: 120,
          ghostClass: "is-held",
          onEnd: (event) => {
            if (event.oldIndex !== event.newIndex) window.htmx.trigger(list.closest("form"), "reordered");
          },
        });
      }
    });
  }

  // Where the frame was scrolled to stays, so that what is being changed is still in sight.
  function keepPlace() {
    let top = 0;
    try { top = frame.contentWindow.scrollY; } catch { /* nothing in it yet */ }
    frame.addEventListener("load", () => {
      try { frame.contentWindow.scrollTo(0, top); } catch { /* gone */ }
    }, { once: true });
  }

  function preview(form) {
    let clock = 0;
    let asked = 0;
    async function draw() {
      const mine = ++asked;
      const data = new FormData(form);
      for (const [name, value] of [...data]) if (value instanceof File) data.delete(name);
      try {
        const answer = await fetch(form.dataset.preview, { method: "POST", body: data });
        const text = await answer.text();
        if (answer.ok && mine === asked) { keepPlace(); frame.srcdoc = text; }
      } catch { /* the preview stays as it is; saving will tell */ }
    }
    form.addEventListener("input", () => { clearTimeout(clock); clock = setTimeout(draw, 250); });
  }

  document.addEventListener("htmx:load", (event) => sort(event.target));
  document.addEventListener("page-changed", () => {
    if (!frame) return;
    keepPlace();
    frame.removeAttribute("srcdoc");
    frame.src = frame.getAttribute("src");
  });
  if (frame) document.querySelectorAll("form[data-preview]").forEach(preview);
  sort(document);
})();
