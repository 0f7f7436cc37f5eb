// Chooses the browser's own time zone where the form does not know one yet.
(function () {
  "use strict";
  const select = document.querySelector("[data-guess-time-zone]");
  if (!select) return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (Array.from(select.options).some((option) => option.value === zone)) select.value = zone;
})();
