// What scripts add to the lines of a proposal: Enter moves on, pasted spreadsheet rows fill several lines, lines can be
// moved, the library is offered, and each number shows how it is understood. Without scripts, it is a plain form.
(() => {
  const form = document.querySelector("form[data-lines]"), list = form?.querySelector(".pl-lines");
  if (!list) return;
  const lines = () => [...list.querySelectorAll("[data-line]")];
  const field = (line, name) => line.querySelector(`[name$=".${name}"]:not([type=hidden])`);
  const told = () => form.dispatchEvent(new Event("input", { bubbles: true }));
  const touch = (line) => field(line, "name").dispatchEvent(new Event("input", { bubbles: true }));

  function number() {
    lines().forEach((line, at) => line.querySelectorAll("[name^='line_items.']").forEach((one) => {
      one.name = one.name.replace(/^line_items\.\d+/, `line_items.${at}`);
      if (one.id) one.id = one.id.replace(/line_items-\d+/, `line_items-${at}`);
    }));
  }
  function fresh(after) {
    const made = lines()[0].cloneNode(true);
    made.querySelectorAll("input, textarea").forEach((one) => {
      if (one.type === "checkbox") one.checked = one.name.endsWith("taxable");
      else if (!one.name.endsWith(".taxable")) one.value = "";
      one.removeAttribute("aria-invalid");
    });
    made.querySelectorAll(".field-error").forEach((one) => one.remove());
    made.querySelector("[data-echo]").replaceChildren();
    made.querySelector("details").open = false;
    (after || lines().at(-1)).after(made);
    number();
    return made;
  }
  // after the last package, which is an empty one unless all ten exist
  function another() {
    const packages = [...form.querySelectorAll(".pl-package")], last = packages.at(-1);
    if (packages.length > 9) return;
    const made = last.cloneNode(true);
    made.querySelectorAll("input, textarea").forEach((one) => {
      if (one.type === "checkbox") one.checked = one.name.endsWith(".taxable");
      else if (!one.name.endsWith(".taxable")) one.value = "";
      one.removeAttribute("aria-invalid");
      one.name = one.name.replace(/^packages\.\d+/, `packages.${packages.length}`);
      if (one.id) one.id = one.id.replace(/packages-\d+/, `packages-${packages.length}`);
    });
    made.querySelectorAll(".field-error").forEach((one) => one.remove());
    last.after(made);
    made.querySelector("[name$='.name']").focus();
  }
  const isEmpty = (line) => !field(line, "name").value.trim() && !field(line, "unit_price").value.trim();

  form.querySelectorAll("[data-move], [data-remove], [data-add], [data-add-package]").forEach((one) => { one.hidden = false; });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button"), line = event.target.closest("[data-line]");
    if (!button) return;
    if ("add" in button.dataset) field(fresh(), "name").focus();
    if ("addPackage" in button.dataset) another();
    if (button.dataset.move && line) {
      const other = button.dataset.move === "1" ? line.nextElementSibling : line.previousElementSibling;
      if (!other) return;
      if (button.dataset.move === "1") other.after(line); else other.before(line);
      number(); button.focus(); touch(line);
    }
    if ("remove" in button.dataset && line) {
      const next = line.nextElementSibling || line.previousElementSibling || fresh();
      line.remove(); number(); field(next, "name").focus(); touch(next);
    }
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.target.type === "checkbox") return;
    event.preventDefault();
    const line = event.target.closest("[data-line]"), next = line.nextElementSibling;
    field(next && (isEmpty(next) || !isEmpty(line)) ? next : fresh(line), "name").focus();
  });

  // Rows of a spreadsheet: the first text is the name. If there are two numbers, they are quantity and price.
  const isNumber = (text) => /\d/.test(text) && /^[^\p{L}]*$/u.test(text.replace(/\b[A-Z]{3}\b/g, ""));
  list.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!event.target.name?.endsWith(".name") || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    let line = event.target.closest("[data-line]");
    const rows = text.split(/\r?\n/).map((row) => row.split("\t").map((cell) => cell.trim())).filter((row) => row.some(Boolean));
    rows.slice(0, 200).forEach((row, at) => {
      if (at) line = line.nextElementSibling && isEmpty(line.nextElementSibling) ? line.nextElementSibling : fresh(line);
      const numbers = row.filter(isNumber).map((cell) => cell.replace(/[^\d.,'\s-]/g, "").trim());
      const words = row.filter((cell) => cell && !isNumber(cell));
      field(line, "name").value = words[0] || "";
      if (numbers.length > 1) { field(line, "quantity").value = numbers[0]; field(line, "unit").value = words[1] || ""; }
      const price = field(line, "unit_price");
      price.value = numbers[numbers.length > 1 ? 1 : 0] || "";
      understood(price);
    });
    number(); touch(line);
  });

  let dragged = null;
  list.addEventListener("pointerdown", (event) => { const line = event.target.closest("[data-line]"); if (line) line.draggable = !event.target.closest("input, textarea, summary, button"); });
  list.addEventListener("dragstart", (event) => { dragged = event.target.closest("[data-line]"); dragged?.classList.add("is-dragged"); });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("[data-line]");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    if (event.clientY > box.top + box.height / 2) over.after(dragged); else over.before(dragged);
  });
  list.addEventListener("dragend", () => { dragged?.classList.remove("is-dragged"); if (dragged) { number(); touch(dragged); } dragged = null; });

  // how a number is understood, and suggestions from the library for a name
  const known = new Map();
  let later;
  // prices have up to four decimals, in the chosen currency
  const priceKind = () => `${form.elements.currency.value}-4`;
  async function understood(input) {
    const echo = input.closest("[data-line], .pl-package").querySelector("[data-echo]");
    const text = input.value.trim(), isPrice = /price$/.test(input.name);
    if (!text || (!isPrice && /^\d+(\.\d{1,2})?$/.test(text))) { echo.replaceChildren(); return; }
    const answer = await fetch(`/app/parse-number/${isPrice ? priceKind() : "quantity"}?v=${encodeURIComponent(text)}`);
    if (answer.ok && input.value.trim() === text) echo.innerHTML = await answer.text();
  }
  // a discount or a deposit is a percentage or an amount, as the page says
  form.addEventListener("htmx:configRequest", (event) => {
    const share = /^(discount|deposit)\.value$/.exec(event.target.name || "");
    if (!share) return;
    const isAmount = form.elements[`${share[1]}.type`].value === "amount";
    event.detail.path = `/app/parse-number/${isAmount ? priceKind() : "number"}`;
  });
  // with a fourth decimal, because 1.125 can be read as a thousand
  const written = (number) => String(number ?? "").replace(/\.\d{3}$/, "$&0");
  async function offered(input) {
    const exact = known.get(input.value.trim());
    if (exact) {
      const line = input.closest("[data-line]"), price = field(line, "unit_price");
      if (!price.value) { price.value = written(exact.unit_price); field(line, "unit").value = exact.unit; field(line, "description").value = exact.description; field(line, "taxable").checked = exact.taxable; told(); }
      return;
    }
    if (input.value.trim().length < 2) return;
    const answer = await fetch(`/app/bid/suggested?q=${encodeURIComponent(input.value.trim())}`);
    if (!answer.ok) return;
    const { items } = await answer.json();
    document.getElementById("library").replaceChildren(...items.map((item) => {
      known.set(item.name, item);
      const option = document.createElement("option");
      option.value = item.name;
      option.label = item.unit_price === null ? item.name : `${item.name}, ${item.unit_price}`;
      return option;
    }));
  }
  form.addEventListener("input", (event) => {
    const input = event.target;
    clearTimeout(later);
    if ("number" in (input.dataset || {})) later = setTimeout(() => understood(input), 300);
    else if (input.name && /^line_items\.\d+\.name$/.test(input.name)) later = setTimeout(() => offered(input), 200);
  });
  // empty fields show nothing
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (name.startsWith("line_items.") && value === "" && !/\.(name|unit_price)$/.test(name)) event.formData.delete(name);
  });
})();
