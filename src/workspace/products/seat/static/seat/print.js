// Loads the previews one after the other, because the server renders each when it is requested.
(async () => {
  for (const image of document.querySelectorAll("img[data-picture]")) {
    for (let turn = 0; turn < 6; turn++) {
      const answer = await fetch(image.dataset.picture).catch(() => null);
      if (answer?.ok) { image.src = image.dataset.picture; break; }
      if (answer && answer.status !== 503) break;
      await new Promise((on) => setTimeout(on, 700 * (turn + 1)));
    }
  }
})();
