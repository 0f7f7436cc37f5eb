// Text areas of an editor that shows the guest page are as high as their text. Some browsers cannot do this with CSS.
(() => {
  if (CSS.supports("field-sizing", "content")) return;
  const fit = (field) => { field.style.height = "auto"; field.style.height = `${field.scrollHeight}px`; };
  const fitAll = (scope) => scope.querySelectorAll("textarea.in").forEach(fit);
  fitAll(document);
  document.addEventListener("htmx:load", ({ target }) => fitAll(target));
  document.addEventListener("input", ({ target }) => { if (target instanceof HTMLTextAreaElement && target.matches(".in")) fit(target); });
})();
