// Uploads a ZIP that is too large for one request in chunks, and then submits the form.
const texts = document.currentScript.dataset;
const form = document.querySelector("form[data-pieces]");

async function send(file, progress) {
  const size = Number(form.dataset.size);
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  let onto = "";
  let at = 0;
  let left = 3; // attempts for one chunk
  while (at < file.size) {
    const body = new FormData();
    body.append("file", file.slice(at, at + size), file.name);
    body.append("onto", onto);
    body.append("at", String(at));
    let answer;
    try {
      answer = await fetch(form.dataset.pieces, { method: "POST", body, headers: { "X-CSRFToken": token }, redirect: "error" });
    } catch {
      left -= 1;
      if (left) continue;
      throw new Error(texts.offline);
    }
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.message);
    left = 3;
    onto = found.upload_id;
    at = found.at;
    progress.textContent = texts.progressText.replace("%(percent)s", String(Math.floor((100 * at) / file.size)));
  }
  return onto;
}

form?.addEventListener("submit", async (event) => {
  const chosen = form.querySelector("[type=file]");
  const progress = form.querySelector("[data-progress]");
  const button = form.querySelector("button");
  if (!chosen.files.length) return;
  event.preventDefault();
  button.disabled = true;
  progress.textContent = texts.uploading;
  try {
    const id = await send(chosen.files[0], progress);
    chosen.disabled = true;
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "upload_id";
    field.value = id;
    form.append(field);
    form.submit();
  } catch (problem) {
    progress.textContent = problem.message;
    button.disabled = false;
  }
});
