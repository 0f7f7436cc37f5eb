// What script adds: dragging the list into order. Without it the arrows move.
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
            if (event.oldIndex !== event.newIndex) window.htmx.trigger(list.closest("form"), "reordered");
          },
        });
      }
    });
  }
  document.addEventListener("htmx:load", (event) => sort(event.target));
  sort(document);
})();
