"use strict";
// Steps through a finished match. A match has its lines, each once, and for each moment the numbers of its lines.
class Stepper {
  constructor(slider, text, shown = () => {}) {
    Object.assign(this, { slider, text, shown, match: null });
    slider.addEventListener("input", () => this.show(Number(slider.value)));
    document.addEventListener("keydown", (event) => {
      if (!this.match || event.target === slider) return;
      if (event.key === "ArrowRight") this.step(1);
      if (event.key === "ArrowLeft") this.step(-1);
    });
  }

  open(match, place = 1) {
    this.match = match;
    if (match) this.show(place);
  }

  show(place) {
    const last = this.match.moments.length;
    this.slider.max = last;
    this.slider.value = Math.min(Math.max(place, 1), last);
    this.text.textContent = this.match.moments[this.slider.value - 1].map((line) => this.match.lines[line]).join("\n");
    this.shown(Number(this.slider.value));
  }

  step(by) {
    this.show(Number(this.slider.value) + by);
  }
}
