"use strict";
// Keeps a page up to date: asks again and again whether its main part has changed, and then replaces that part.
const EVERY = 1500, AT_MOST = 30000; // milliseconds between two questions, and after many failures
const main = document.querySelector("main[data-live]"), state = document.getElementById("state");
let tag = "", failures = 0;

function replace(html) {
  const next = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  if (!next || next.innerHTML === main.innerHTML) return;
  const scrolled = [...main.querySelectorAll(".wide")].map((one) => one.scrollLeft);
  const link = main.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  main.replaceChildren(...next.childNodes);
  main.toggleAttribute("data-over", next.hasAttribute("data-over"));
  main.querySelectorAll(".wide").forEach((one, place) => { one.scrollLeft = scrolled[place] || 0; });
  if (link) main.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus();
}

async function refresh() {
  if (!document.hidden) {
    try {
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(location.href, { headers, cache: "no-store", credentials: "omit" });
      if (answer.status === 200) {
        replace(await answer.text());
        tag = answer.headers.get("etag") || "";
      } else if (answer.status !== 304) throw new Error(answer.statusText);
      failures = 0;
      state.textContent = "";
    } catch {
      failures++;
      state.textContent = state.dataset.lost;
    }
  }
  if (!main.hasAttribute("data-over")) setTimeout(refresh, Math.min(AT_MOST, EVERY * 2 ** failures));
}

if (!main.hasAttribute("data-over")) setTimeout(refresh, EVERY);
