// Fills in the browser's time zone, so that people need not choose it.
(() => {
  "use strict";
  const field = document.querySelector("[data-guess-time-zone]");
  if (field) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
})();
