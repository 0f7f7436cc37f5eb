// The guest list: a click on a cell opens its row for editing, Enter saves and opens the next row, and Escape leaves it.
// Guests without a name are folded below their party. Without this script, the same links and buttons load the page.
(() => {
  const people = document.getElementById("st-people"), problem = document.getElementById("st-problem"), said = document.getElementById("st-said");
  if (!people) return;
  const open = new Set();
  const listUrl = () => { const at = new URL(location.href); at.searchParams.delete("edit"); at.hash = ""; return at; };
  const editUrl = (id) => { const at = listUrl(); at.searchParams.set("edit", id); return at; };

  function unfold(scope = people) {
    for (const button of scope.querySelectorAll(".st-unfold")) {
      const party = button.closest("tbody");
      button.hidden = false;
      if (open.has(party.dataset.party)) party.classList.add("is-open");
      button.setAttribute("aria-expanded", `${party.classList.contains("is-open")}`);
    }
  }
  // Load the list, perhaps with one row as fields, and select one of them.
  async function load(url, field = "") {
    const answer = await fetch(url);
    if (!answer.ok) return location.reload();
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("st-people");
    people.replaceChildren(...fresh.childNodes);
    unfold();
    const chosen = field.startsWith("#") ? document.getElementById(field.slice(1))?.querySelector("a") : people.querySelector(`.st-editing [data-field="${field}"], .st-editing [name$="-${field}"], .st-new [name$="-${field}"]`);
    chosen?.focus();
    if (chosen?.matches("input")) chosen.select();
  }
  const edit = (id, field = "name") => load(editUrl(id), field);
  const visibleNames = () => [...people.querySelectorAll("[data-edit]")].filter((one) => one.offsetParent);

  people.addEventListener("click", (event) => {
    const fold = event.target.closest(".st-unfold");
    if (fold) {
      const party = fold.closest("tbody"), isOpen = party.classList.toggle("is-open");
      fold.setAttribute("aria-expanded", `${isOpen}`);
      open[isOpen ? "add" : "delete"](party.dataset.party);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.target.closest("input, select, button, .st-pick, .st-all-fields")) return;
    const cancel = event.target.closest("[data-cancel]");
    if (cancel) { event.preventDefault(); return load(listUrl(), `#${cancel.closest("tr").id}`); }
    const row = event.target.closest("tr.st-calm"), name = row?.querySelector("[data-edit]");
    if (!name || String(getSelection())) return;
    event.preventDefault();
    edit(name.dataset.edit, event.target.closest("[data-field]")?.dataset.field);
  });
  people.addEventListener("keydown", (event) => {
    const row = event.target.closest(".st-editing");
    if (event.key === "Escape" && row) { event.preventDefault(); load(listUrl(), `#${row.id}`); return; }
    const name = event.target.closest("[data-edit]");
    if (!name || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    const all = visibleNames();
    all[all.indexOf(name) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  });
  people.addEventListener("submit", async (event) => {
    if (event.target.getAttribute("id") !== "st-rows" || event.submitter?.name === "remove") return;
    event.preventDefault();
    const form = event.target, row = people.querySelector(".st-editing"), isNew = Boolean(document.activeElement?.closest(".st-new"));
    const rows = [...people.querySelectorAll("tr[id]")], next = row && rows.slice(rows.indexOf(row) + 1).find((one) => one.offsetParent);
    const field = document.activeElement?.dataset.field || "name";
    const answer = await fetch(location.href, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    const data = await answer.json();
    problem.replaceChildren();
    if (!answer.ok) {
      problem.append(Object.assign(document.createElement("div"), { className: "notice", textContent: data.problem }));
      problem.firstChild.dataset.kind = "bad";
      return;
    }
    said.textContent = data.said;
    if (isNew || !row) return load(listUrl(), "name");
    return next && document.activeElement?.matches("input") ? edit(next.id.slice(2), field) : load(listUrl(), `#${row.id}`);
  });
  unfold();
})();
