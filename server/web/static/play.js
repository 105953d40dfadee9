"use strict";
// One page is one person. Typed and tapped lines go up; fragments of HTML that the server has escaped come down.

const at = (id) => document.getElementById(id);
const RETRY = [500, 1000, 2000, 4000, 8000], LOG_ROWS = 400, HOLD = 500, SETTLE = 250; // milliseconds, and rows
let socket = null, challenge = "", tries = 0, wanted = "", proven = false, welcomed = false, clocks = [], clocksAt = 0, asked = 0;
const watched = document.body.dataset.watch; // the table that a page for a projector shows, under a name of its own
const stored = {
  get name() { return localStorage.getItem("name") || ""; },
  set name(value) { localStorage.setItem("name", value); },
  token(name) { return localStorage.getItem("token " + name) || ""; },
  keep(name, token) { localStorage.setItem("token " + name, token); },
  drop(name) { localStorage.removeItem("token " + name); },
};

function send(line) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(line);
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/play`);
  socket.onmessage = (event) => event.data.split("\n").filter(Boolean).forEach((line) => take(JSON.parse(line)));
  socket.onclose = () => {
    welcomed = false;
    if (!wanted) return;
    at("state").textContent = document.body.dataset.lost;
    setTimeout(connect, RETRY[Math.min(tries++, RETRY.length - 1)]);
  };
}

function columns() {
  const probe = document.createElement("span");
  probe.className = "probe";
  probe.textContent = "0".repeat(40);
  at("board").append(probe);
  const width = probe.getBoundingClientRect().width / 40;
  probe.remove();
  return Math.max(39, Math.min(120, Math.floor(((at("board").clientWidth || innerWidth - 16) - 18) / width) - 1));
}

// Takes or proves the name that is wanted. A key and a proof of one token would reveal its secret, so that a name which
// the server does not know gets a new token.
function hello(fresh) {
  let token = stored.token(wanted);
  const request = { type: "hello", id: ++asked, name: wanted, client: "browser" };
  proven = Boolean(token) && !fresh;
  if (proven) request.proof = proofOf(token, challenge, wanted);
  else {
    stored.keep(wanted, token = newToken());
    request.key = keyOf(token);
  }
  send(JSON.stringify(request));
}

function take(frame) {
  for (const [part, value] of Object.entries(frame)) {
    if (part === "greeting") greeted(value);
    else if (part === "log") addLog(value);
    else if (part === "welcome") entered(value);
    else if (part === "error") refused(value);
    else if (part === "bye") ended(value);
    else if (part === "title") { at("title").textContent = value; document.title = value; }
    else if (part === "clocks") { clocks = value; clocksAt = Date.now(); tick(); }
    else if (part === "awaited") document.body.classList.toggle("awaited", value);
    else if (part === "is_page") document.body.classList.toggle("reads", value);
    else if (at(part)) {
      at(part).innerHTML = value;
      if (part === "choices") { changedAt = Date.now(); picked = []; }
      if (part === "choices" || part === "board") showPicked();
    }
  }
  if ("board" in frame) fitBoard();
  followLog();
}

// A projector shows the whole board, in the largest type with which it fits.
function fitBoard() {
  const board = at("board");
  for (let size = 1.3; watched && size > 0.5; size -= 0.1) {
    board.style.fontSize = `${size}rem`;
    if (board.scrollHeight <= board.clientHeight) return;
  }
}

// A page whose name plays elsewhere, or that was sent away, does not come back by itself.
function ended(why) {
  if (["closed", "shutdown", "silent", "slow_reader", "internal", "login_timeout"].includes(why)) return;
  wanted = "";
  at("state").textContent = document.body.dataset.ended;
}

function greeted(greeting) {
  challenge = greeting.challenge;
  tries = 0;
  at("state").textContent = "";
  send(JSON.stringify({ columns: columns() }));
  const lang = document.documentElement.lang;
  if (lang !== "en") send(JSON.stringify({ type: "lang", id: ++asked, lang }));
  hello(false);
}

function entered(name) {
  welcomed = true;
  wanted = name;
  if (!watched) stored.name = name;
  at("enter").hidden = true;
  at("hall").hidden = false;
  send(JSON.stringify({ columns: columns() }));
  send(watched ? "watch " + watched : "tables");
}

// The name was not accepted: the person chooses another one.
function refused(error) {
  if (welcomed) return;
  if (error.code === "unknown_name" && proven) { hello(true); return; }
  if (!proven) stored.drop(wanted);
  choose(error.text);
}

function choose(text) {
  wanted = "";
  socket?.close();
  at("state").textContent = text;
  at("enter").hidden = false;
  at("name").focus();
}

// The log stays at its end until the person scrolls up. A change of its height is no scrolling.
let atEnd = true;
function addLog(html) {
  const log = at("log");
  log.insertAdjacentHTML("beforeend", html);
  while (log.childElementCount > LOG_ROWS) log.firstElementChild.remove();
}
function followLog() {
  if (atEnd) at("log").scrollTop = at("log").scrollHeight;
}
at("log").addEventListener("wheel", noteScroll, { passive: true });
for (const kind of ["touchmove", "keyup", "pointerup"]) at("log").addEventListener(kind, noteScroll, { passive: true });
function noteScroll() {
  const log = at("log");
  setTimeout(() => { atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40; }, 200);
}

function tick() {
  const gone = (Date.now() - clocksAt) / 1000;
  at("clocks").textContent = clocks.filter(([, left]) => left < 86400).map(([name, left, runs]) => {
    const seconds = Math.max(0, Math.round(left - (runs ? gone : 0)));
    return `${runs ? "▶ " : ""}${name} ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }).join("   ");
}

let held = 0, wasHeld = false, changedAt = 0;
function why(button) {
  wasHeld = true;
  send("why " + button.dataset.line);
}
at("choices").addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button");
  wasHeld = false;
  if (button && button.dataset.why) held = setTimeout(why, HOLD, button);
});
for (const end of ["pointerup", "pointercancel", "pointerleave"]) at("choices").addEventListener(end, () => clearTimeout(held));
at("choices").addEventListener("contextmenu", (event) => { if (event.target.closest("button")) event.preventDefault(); });
at("choices").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const pointed = event.isTrusted && event.detail > 0; // not by a key
  if (pointed && Date.now() - changedAt < SETTLE) return; // the finger was on its way to what stood there before
  if (button && !wasHeld) send(button.dataset.line);
  wasHeld = false;
});
at("choices").addEventListener("keydown", (event) => {
  const button = event.target.closest("button");
  if (event.key === "?" && button && button.dataset.why) send("why " + button.dataset.line);
});

// Tapped cards and targets on the board leave only those choices that are about all of them.
let picked = [];
const choiceButtons = () => [...at("choices").querySelectorAll("button")];
function isAbout(button, words) {
  const facts = (button.dataset.of || "").split(" ");
  return words.split(" ").some((word) => word.split("+").every((one) => facts.includes(one)));
}
function pick(words) {
  picked = picked.includes(words) ? picked.filter((one) => one !== words) : [...picked, words];
  while (!choiceButtons().some((button) => picked.every((one) => isAbout(button, one)))) picked.shift();
  showPicked();
}
function showPicked() {
  for (const button of choiceButtons()) button.hidden = !picked.every((one) => isAbout(button, one));
  for (const group of at("choices").querySelectorAll(".group")) group.hidden = !group.querySelector("button:not([hidden])");
  for (const name of at("board").querySelectorAll(".pick")) {
    const is = picked.includes(name.dataset.for);
    name.setAttribute("aria-pressed", is);
    name.closest("li, section").classList.toggle("picked", is);
  }
}
at("board").addEventListener("click", (event) => {
  const card = event.target.closest("li, section"), name = event.target.closest(".pick") || card?.querySelector(".pick");
  if (name && name.closest("li, section") === card) pick(name.dataset.for);
});
at("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  wanted = at("name").value.trim();
  if (wanted) connect();
});
at("say").addEventListener("submit", (event) => {
  event.preventDefault();
  send(at("line").value);
  at("line").value = "";
});
let resized = 0;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => { fitBoard(); send(JSON.stringify({ columns: columns() })); }, 300); });
setInterval(tick, 1000);
if (watched && !sessionStorage.getItem("watcher")) sessionStorage.setItem("watcher", "watcher-" + newToken().slice(0, 6));
wanted = watched ? sessionStorage.getItem("watcher") : stored.name;
if (wanted) connect();
else choose("");
