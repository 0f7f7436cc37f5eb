// A new page uses the time zone of its owner's browser, unless the account has a location.
(() => {
  const field = document.querySelector("form:not(:has([data-invalid])) select[name=time_zone]");
  const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (field?.value === "UTC" && [...field.options].some((one) => one.value === mine)) field.value = mine;
})();
