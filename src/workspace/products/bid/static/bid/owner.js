// What scripts add to the page on which a proposal is edited: amounts follow what is typed, Enter moves on, pasted
// spreadsheet rows fill several lines, lines can be moved, the library is offered, and each number shows how it is
// understood. Without scripts, it is a plain form.
(() => {
  const form = document.querySelector("form[data-lines]"), list = form?.querySelector(".pl-lines");
  if (!list) return;
  const lines = () => [...list.querySelectorAll("[data-line]")];
  const field = (line, name) => line.querySelector(`[name$=".${name}"]:not([type=hidden])`);
  const reportChange = () => form.dispatchEvent(new Event("input", { bubbles: true }));
  const touch = (line) => field(line, "name").dispatchEvent(new Event("input", { bubbles: true }));

  function number() {
    lines().forEach((line, at, all) => {
      line.querySelectorAll("[name^='line_items.']").forEach((one) => {
        one.name = one.name.replace(/^line_items\.\d+/, `line_items.${at}`);
        if (one.id) one.id = one.id.replace(/line_items-\d+/, `line_items-${at}`);
      });
      // a heading is shown once, above the first of its lines
      line.classList.toggle("is-same", field(line, "section").value === (at ? field(all[at - 1], "section").value : ""));
    });
  }
  function fresh(after) {
    const made = lines()[0].cloneNode(true);
    made.querySelectorAll("input, textarea").forEach((one) => {
      if (one.type === "checkbox") one.checked = one.name.endsWith("taxable");
      else if (!one.name.endsWith(".taxable")) one.value = "";
      one.removeAttribute("aria-invalid");
    });
    made.querySelectorAll(".field-error").forEach((one) => one.remove());
    made.querySelectorAll("[data-echo], [data-amount]").forEach((one) => one.replaceChildren());
    made.querySelector("details").open = false;
    const former = after || lines().at(-1);
    field(made, "section").value = field(former, "section").value;
    former.after(made);
    number();
    return made;
  }
  // the empty package after the last one; once it is shown, a copy of it can follow
  const packages = () => [...form.querySelectorAll(".pl-package")];
  const addPackage = form.querySelector("[data-add-package]");
  const pattern = packages().at(-1)?.cloneNode(true);
  function showNextPackage() {
    const all = packages(), spare = all.find((one) => one.hidden), at = all.length;
    const made = spare || pattern.cloneNode(true);
    if (!spare) {
      made.querySelectorAll("input, textarea").forEach((one) => {
        if (one.type === "checkbox") one.checked = one.name.endsWith(".taxable");
        else if (!one.name.endsWith(".taxable")) one.value = "";
        one.removeAttribute("aria-invalid");
        one.name = one.name.replace(/^packages\.\d+/, `packages.${at}`);
        if (one.id) one.id = one.id.replace(/packages-\d+/, `packages-${at}`);
      });
      made.querySelectorAll(".field-error").forEach((one) => one.remove());
      addPackage.before(made);
    }
    made.hidden = false;
    made.querySelector("[data-remove-package]").hidden = false;
    addPackage.hidden = packages().length > 9;
    made.querySelector("[name$='.name']").focus();
  }
  form.querySelectorAll("[data-spare]").forEach((one) => { one.hidden = true; });
  const isEmpty = (line) => !field(line, "name").value.trim() && !field(line, "unit_price").value.trim();
  // rows that the server ignores
  const isBlank = (row) => [...row.querySelectorAll("input, textarea")].every((one) => one.type === "checkbox" || one.name.endsWith(".taxable") || !one.value.trim());
  for (const line of lines().slice(1).reverse()) {
    if (!isBlank(line) || !isBlank(line.previousElementSibling)) break;
    line.remove(); // one empty line is enough
  }

  // The amounts and totals of what is typed, which the server computes.
  let running, soon;
  async function updateAmounts() {
    running?.abort();
    running = new AbortController();
    const filledLines = lines().filter((line) => !isBlank(line)), filledPackages = packages().filter((one) => !isBlank(one));
    const typed = new FormData(form);
    typed.delete("image");
    try {
      const answer = await fetch(form.dataset.amounts, { method: "POST", body: typed, signal: running.signal });
      if (!answer.ok) return;
      const { lines: amounts, packages: prices, figures, total, values } = await answer.json();
      const show = (row, text) => { const out = row.querySelector("[data-amount]"); if (out) out.textContent = text || ""; };
      lines().forEach((line) => { if (!filledLines.includes(line)) show(line, ""); });
      filledLines.forEach((line, at) => show(line, amounts[at]));
      filledPackages.forEach((one, at) => show(one, prices[at]));
      form.querySelector("[data-figures]").innerHTML = figures;
      form.querySelector("[data-total]").textContent = total;
      for (const [name, text] of Object.entries(values)) form.querySelector(`[data-value="${name}"]`).textContent = text;
    } catch (problem) {
      if (problem.name !== "AbortError") throw problem;
    }
  }
  const updateAmountsSoon = () => { clearTimeout(soon); soon = setTimeout(updateAmounts, 350); };
  form.addEventListener("input", updateAmountsSoon);
  form.addEventListener("change", updateAmountsSoon);

  form.querySelector("[data-one-line]").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    form.elements.intro.focus();
  });
  form.addEventListener("change", ({ target }) => {
    if (!/^packages\.\d+\.recommended$/.test(target.name) || !target.checked) return;
    form.querySelectorAll("[name$='.recommended']").forEach((one) => { if (one !== target) one.checked = false; });
  });
  // The line in which someone types shows its empty fields. The former one shrinks later, so that no click misses.
  const activate = (row) => {
    row.classList.add("is-active");
    setTimeout(() => lines().forEach((line) => { if (line !== document.activeElement.closest("[data-line]")) line.classList.remove("is-active"); }), 250);
  };
  list.addEventListener("focusin", ({ target }) => { if (target.closest("[data-line]")) activate(target.closest("[data-line]")); });
  // an edited heading changes in all lines of its section
  list.addEventListener("focusin", ({ target }) => { if (target.name?.endsWith(".section")) target.dataset.before = target.value; });
  list.addEventListener("change", ({ target }) => {
    if (!target.name?.endsWith(".section")) return;
    const before = target.dataset.before || "";
    for (let line = target.closest("[data-line]").nextElementSibling; before && line && field(line, "section").value === before; line = line.nextElementSibling) field(line, "section").value = target.value;
    number();
  });

  form.querySelectorAll("[data-move], [data-remove], [data-heading], [data-add], [data-add-package], [data-remove-package]").forEach((one) => { one.hidden = false; });
  addPackage.hidden = packages().length > 9 && !packages().some((one) => one.hidden);
  function move(line, forward) {
    const other = forward ? line.nextElementSibling : line.previousElementSibling;
    if (!other) return;
    if (forward) other.after(line); else other.before(line);
    number(); touch(line);
  }
  function remove(line, next) {
    line.remove(); number(); field(next, "name").focus(); touch(next);
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button"), line = event.target.closest("[data-line]");
    if (!button) return;
    if ("add" in button.dataset) field(fresh(), "name").focus();
    if ("addPackage" in button.dataset) showNextPackage();
    if ("removePackage" in button.dataset) {
      button.closest(".pl-package").remove();
      addPackage.hidden = false; addPackage.focus(); reportChange();
    }
    if (!line) return;
    if (button.dataset.move) { move(line, button.dataset.move === "1"); button.focus(); }
    if ("remove" in button.dataset) remove(line, line.nextElementSibling || line.previousElementSibling || fresh());
    if ("heading" in button.dataset) {
      line.classList.remove("is-same");
      line.classList.add("is-headed");
      field(line, "section").select();
    }
  });
  list.addEventListener("keydown", (event) => {
    const input = event.target, line = input.closest("[data-line]"), next = line?.nextElementSibling;
    if (!line || event.isComposing) return;
    if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) {
      event.preventDefault();
      move(line, event.key === "ArrowDown");
      input.focus();
      return;
    }
    if (event.key === "Backspace" && input.name?.endsWith(".name") && isEmpty(line) && line.previousElementSibling) {
      event.preventDefault();
      remove(line, line.previousElementSibling);
      return;
    }
    if (event.key !== "Enter" || input.tagName !== "INPUT" || input.type === "checkbox") return;
    event.preventDefault();
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
  list.addEventListener("pointerdown", (event) => { const line = event.target.closest("[data-line]"); if (line) line.draggable = !event.target.closest("input, textarea, label, summary, button"); });
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
    if (!text || /^\d+(\.\d{1,2})?$/.test(text)) { echo.replaceChildren(); return; }
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
      if (!price.value) { price.value = written(exact.unit_price); field(line, "unit").value = exact.unit; field(line, "description").value = exact.description; field(line, "taxable").checked = exact.taxable; reportChange(); }
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
