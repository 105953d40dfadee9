"use strict";
// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) for the proof of a name, as crypto.subtle is missing on plain http.

const K = [], H = [];
(function () {
  let found = 0;
  for (let number = 2; found < 64; number++) {
    let prime = true;
    for (let other = 2; other * other <= number; other++) if (number % other === 0) prime = false;
    if (!prime) continue;
    const part = (root) => ((Math.pow(number, root) % 1) * 4294967296) | 0;
    if (found < 8) H.push(part(1 / 2));
    K.push(part(1 / 3));
    found++;
  }
})();

function sha256(bytes) {
  const length = bytes.length, padded = new Uint8Array(((length + 8) >> 6 << 6) + 64);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 536870912));
  view.setUint32(padded.length - 4, length << 3);
  const state = H.slice(), words = new Int32Array(64), turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) { words[i] = view.getInt32(at + 4 * i); continue; }
      const a = words[i - 15], b = words[i - 2];
      words[i] = words[i - 16] + words[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }
  const sum = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => sum.setInt32(4 * i, value));
  return new Uint8Array(sum.buffer);
}

function hmac(key, bytes) {
  const padded = new Uint8Array(64);
  padded.set(key.length > 64 ? sha256(key) : key);
  const joined = (pad, rest) => { const all = new Uint8Array(64 + rest.length); all.set(padded.map((one) => one ^ pad)); all.set(rest, 64); return all; };
  return sha256(joined(0x5c, sha256(joined(0x36, bytes))));
}

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");

function newToken() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

function keyOf(token) {
  return hex(sha256(sha256(utf8(token))));
}

// The secret XOR the HMAC of "challenge name" with the key: PROTOCOL.md, "Names".
function proofOf(token, challenge, name) {
  const secret = sha256(utf8(token)), mask = hmac(sha256(secret), utf8(`${challenge} ${name}`));
  return hex(secret.map((one, i) => one ^ mask[i]));
}
