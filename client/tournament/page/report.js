"use strict";
const stories = JSON.parse(document.getElementById("stories").textContent);
const viewer = document.getElementById("viewer");
const slider = viewer.querySelector("input");
let story = null;

function show(place) {
  const last = story.moments.length - 1;
  slider.max = last;
  slider.value = Math.min(Math.max(place, 0), last);
  viewer.querySelector("pre").textContent = story.moments[slider.value].map((line) => story.lines[line]).join("\n");
}

function open() {
  const number = location.hash.slice(2);
  story = location.hash.startsWith("#m") && Object.hasOwn(stories, number) ? stories[number] : null;
  viewer.hidden = !story;
  if (story) {
    viewer.querySelector("h3").textContent = slider.dataset.match + " " + number;
    show(0);
  }
}

function step(by) {
  if (by) show(Number(slider.value) + by);
  else location.hash = "#matches";
}

for (const button of viewer.querySelectorAll("button")) {
  button.addEventListener("click", () => step(Number(button.dataset.step)));
}
slider.addEventListener("input", () => show(Number(slider.value)));
document.addEventListener("keydown", (event) => {
  if (!story) return;
  if (event.key === "Escape") step(0);
  if (event.target === slider) return;
  if (event.key === "ArrowRight") step(1);
  if (event.key === "ArrowLeft") step(-1);
});
addEventListener("hashchange", open);
open();
