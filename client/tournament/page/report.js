const stories = JSON.parse(document.getElementById("stories").textContent);
const viewer = document.getElementById("viewer");
const slider = viewer.querySelector("input");
const stepper = new Stepper(slider, viewer.querySelector("pre"));

function open() {
  const number = location.hash.slice(2);
  const story = location.hash.startsWith("#m") && Object.hasOwn(stories, number) ? stories[number] : null;
  viewer.hidden = !story;
  if (story) viewer.querySelector("h3").textContent = slider.dataset.match + " " + number;
  stepper.open(story);
}

function close() {
  location.hash = "#matches";
}

for (const button of viewer.querySelectorAll("button")) {
  const by = Number(button.dataset.step);
  button.addEventListener("click", () => (by ? stepper.step(by) : close()));
}
document.addEventListener("keydown", (event) => {
  if (stepper.match && event.key === "Escape") close();
});
addEventListener("hashchange", open);
open();
