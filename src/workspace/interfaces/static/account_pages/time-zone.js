// Tells the browser's own time zone, so that nobody is asked for it.
(() => {
  "use strict";
  const field = document.querySelector("[data-guess-time-zone]");
  if (field) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
})();
