// A new page's clocks are those of where its owner sits, unless the account says where it is.
(() => {
  const field = document.querySelector("form:not(:has([data-invalid])) select[name=time_zone]");
  const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (field?.value === "UTC" && [...field.options].some((one) => one.value === mine)) field.value = mine;
})();
