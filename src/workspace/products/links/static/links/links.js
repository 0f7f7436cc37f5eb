// What scripts add: dragging the list into order, and opening elements in it. Without scripts, arrows move elements,
// and a link opens on a separate page.
(() => {
  function sort(scope) {
    scope.querySelectorAll("[data-sortable]").forEach((list) => {
      if (window.Sortable && !list.dataset.ready) {
        list.dataset.ready = "yes";
        new window.Sortable(list, {
          handle: ".lk-handle",
          animation: 120,
          ghostClass: "is-held",
          onEnd: (event) => {
            if (event.oldIndex !== event.newIndex) window.htmx.trigger(document.getElementById("order"), "reordered");
          },
        });
      }
    });
  }
  document.addEventListener("htmx:load", (event) => sort(event.target));
  sort(document);

  // One is open at a time: a form without changes closes, and one with changes is shown, so that they are not lost.
  const said = (form) => JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]));
  let opened = null, untouched = "";
  document.addEventListener("htmx:load", ({ target }) => {
    const form = target.matches(".lk-form") ? target : null;
    if (!form) return;
    opened = form;
    untouched = said(form);
    form.querySelector("input:not([type=hidden]), textarea, select").focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  });
  const shut = () => { opened.closest(".lk-edit").replaceChildren(); opened = null; };
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!opened?.isConnected || opened === event.detail.elt) return;
    if (said(opened) !== untouched) {
      event.preventDefault();
      opened.querySelector("[type=submit]").focus();
    } else if (event.detail.requestConfig.verb === "get") {
      const again = opened.closest(".lk-row").contains(event.detail.elt);
      shut();
      if (again) event.preventDefault(); // clicking its name opens and closes it
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest(".lk-edit [data-shut]");
    if (!link) return;
    event.preventDefault();
    const name = link.closest(".lk-row").querySelector(".lk-row-main a");
    shut();
    name.focus();
  });
})();
