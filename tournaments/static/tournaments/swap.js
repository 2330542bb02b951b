// Swapping two places of a drawn round: drag one onto another, or choose both by click or Enter. What it would
// cost opens in a dialog, which is the page that the server shows without JavaScript; its button makes the swap.
(() => {
  const form = document.getElementById("swap");
  const dialog = document.getElementById("swap-preview");
  if (!form || !dialog?.showModal) return;
  const status = form.querySelector(".status");
  let picked = null;

  const nameOf = (seat) => seat.querySelector(".name bdi").textContent;

  function pick(seat) {
    picked?.setAttribute("aria-pressed", "false");
    picked = seat;
    seat?.setAttribute("aria-pressed", "true");
    status.textContent = seat ? `${nameOf(seat)} (${seat.dataset.place}): choose the other place. Escape lets go.` : "";
  }

  async function preview(first, second) {
    pick(null);
    const body = new FormData(form);
    for (const text of ["first_text", "second_text"]) body.delete(text);
    body.set("first", first.dataset.place);
    body.set("second", second.dataset.place);
    try {
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector(".swap-preview");
      if (!answer.ok || !found) throw new Error(answer.status);
      dialog.replaceChildren(document.adoptNode(found));
      dialog.showModal();
    } catch {
      status.textContent = "The server could not be asked. Load the page again.";
    }
  }

  function choose(seat) {
    if (picked === seat) pick(null);
    else if (picked) preview(picked, seat);
    else pick(seat);
  }

  for (const seat of form.querySelectorAll("[data-place]")) {
    seat.draggable = true;
    seat.tabIndex = 0;
    seat.setAttribute("role", "button");
    seat.setAttribute("aria-pressed", "false");
    seat.addEventListener("click", () => choose(seat));
    seat.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(seat);
    });
    seat.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", seat.dataset.place);
      event.dataTransfer.effectAllowed = "move";
      pick(seat);
    });
    seat.addEventListener("dragend", () => pick(null));
    seat.addEventListener("dragover", (event) => {
      if (!picked || picked === seat) return;
      event.preventDefault();
      seat.classList.add("over");
    });
    seat.addEventListener("dragleave", () => seat.classList.remove("over"));
    seat.addEventListener("drop", (event) => {
      event.preventDefault();
      seat.classList.remove("over");
      if (picked && picked !== seat) preview(picked, seat);
    });
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && pick(null));
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog && !event.target.closest(".back")) return;
    event.preventDefault();
    dialog.close();
  });
  form.classList.add("live");
})();
