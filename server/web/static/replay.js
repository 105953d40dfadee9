"use strict";
// The page of a replay works without this script; with it, stepping needs no request.
const steps = document.getElementById("steps"), slider = steps.querySelector("input");
const SETTLED = 400; // milliseconds without a step before the address shows the place, as browsers limit such changes
let changing = 0;
const stepper = new Stepper(slider, document.getElementById("moment"), (place) => {
  steps.querySelector(".at").textContent = place;
  clearTimeout(changing);
  changing = setTimeout(() => {
    const address = new URL(location.href);
    address.searchParams.set("at", place);
    history.replaceState(null, "", address);
  }, SETTLED);
});

async function open() {
  const answer = await fetch(steps.dataset.match, { credentials: "omit" });
  if (!answer.ok) return;
  stepper.open(await answer.json(), Number(steps.dataset.at));
  slider.hidden = false;
  for (const link of steps.querySelectorAll("[data-step]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      stepper.step(Number(link.dataset.step));
    });
  }
}
open();
