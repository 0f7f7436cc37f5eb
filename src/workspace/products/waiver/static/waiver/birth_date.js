// Says at the birth date that a person is too young to sign, before they fill in the rest. The server decides.
(() => {
  const field = document.querySelector("[data-too-young]");
  if (!field) return;
  const number = (name) => Number(field.querySelector(`input[name$="-${name}"]`).value);
  const isTooYoung = () => {
    const [day, month, year] = ["day", "month", "year"].map(number);
    return day > 0 && month > 0 && year > 1900 && new Date(year + Number(field.dataset.age), month - 1, day) > new Date();
  };
  field.addEventListener("change", () => {
    document.getElementById("born-error")?.remove();
    const young = isTooYoung();
    for (const box of field.querySelectorAll("input")) young ? box.setAttribute("aria-invalid", "true") : box.removeAttribute("aria-invalid");
    if (!young) return;
    const note = Object.assign(document.createElement("p"), { id: "born-error", className: "error", textContent: field.dataset.tooYoung });
    note.setAttribute("role", "alert");
    field.append(note);
    field.setAttribute("aria-describedby", "born-error");
  });
})();
