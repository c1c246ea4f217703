// Deals the round again in the browser, from the published seed and context (rules R18, R19).
"use strict";
(async () => {
  const box = document.getElementById("verdict");
  const data = JSON.parse(document.getElementById("deal-data").textContent);
  const encode = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  const sorted = (tiles) => [...tiles].sort();

  function show(kind, more) {
    box.classList.add(kind);
    box.textContent = box.dataset[kind] + (more ? ` ${more}` : "");
  }
  if (!window.crypto || !crypto.subtle) return show("cannot");

  const seed = Uint8Array.from(data.seed.match(/../g), (pair) => parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

  async function* words(context) {
    for (let block = 0; ; block++) {
      const digest = new DataView(await crypto.subtle.sign("HMAC", key, encode(`${context}|${block}`)));
      for (let i = 0; i < 32; i += 4) yield digest.getUint32(i);
    }
  }

  function draws(context) {
    const stream = words(context);
    const below = async (m) => {
      const limit = Math.floor(2 ** 32 / m) * m;
      for (;;) {
        const { value } = await stream.next();
        if (value < limit) return value % m;
      }
    };
    const shuffle = async (items) => {
      for (let i = items.length - 1; i >= 1; i--) {
        const j = await below(i + 1);
        [items[i], items[j]] = [items[j], items[i]];
      }
      return items;
    };
    return { below, shuffle };
  }

  async function deal(nonce) {
    const context = `gaple/1|${data.code}|${data.number}|${nonce}|${data.phrases.join("\u001f")}`;
    const { below, shuffle } = draws(context);
    const deck = [];
    for (let a = 0; a <= 6; a++) for (let b = a; b <= 6; b++) deck.push(`${a}-${b}`);
    await shuffle(deck);
    const hands = [];
    for (let s = 0; s < data.players; s++) hands.push(sorted(deck.slice(s * data.tiles, (s + 1) * data.tiles)));
    return { context, hands, rest: deck.slice(data.players * data.tiles), starter: await below(data.players) };
  }

  const doubles = (hand) => hand.filter((tile) => tile[0] === tile[2]).length;
  const due = (hands) => data.redeal !== "off" && hands.some((hand) => doubles(hand) >= Number(data.redeal));

  const wrong = [];
  if (hex(new Uint8Array(await crypto.subtle.digest("SHA-256", seed))) !== data.commitment) wrong.push("SHA-256");
  for (let nonce = 0; nonce < data.nonce; nonce++)
    if (!due((await deal(nonce)).hands)) wrong.push(`nonce ${nonce}`);
  const dealt = await deal(data.nonce);
  if (due(dealt.hands)) wrong.push(`nonce ${data.nonce}`);
  if (dealt.context !== data.context) wrong.push("context");
  dealt.hands.forEach((hand, seat) => {
    if (hand.join() !== sorted(data.hands[seat]).join()) wrong.push(`${seat + 1}`);
  });
  if (dealt.rest.join() !== data.rest.join()) wrong.push("rest");
  if (data.starter !== null && dealt.starter !== data.starter) wrong.push("starter");
  // Seat numbers in order of joining; the shuffled joiners stand on the seats they drew.
  const drawn = await draws(`gaple/1|${data.code}|1|seats`).shuffle(data.drawn.map((_, joiner) => joiner));
  if (data.drawn.some((seat, joiner) => drawn[seat] !== joiner)) wrong.push("seats");
  if (wrong.length) show("bad", wrong.join(", "));
  else show("good");
})();
