// What the pages do beyond plain forms and links. Everything works without it.
"use strict";
(() => {
  const root = document.documentElement;
  const say = (key) => document.body.dataset[key] || "";
  root.classList.add("js");

  // --- The CSRF token is read when a request starts: a sign-in in another tab changes it ---------

  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]+)/) || [])[1];

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    const now = token();
    if (!now || ctx.request.method === "GET") return;
    ctx.request.headers["X-CSRFToken"] = now;
    if (ctx.request.body && ctx.request.body.has("csrfmiddlewaretoken"))
      ctx.request.body.set("csrfmiddlewaretoken", now);
  });

  document.addEventListener("submit", ({ target }) => {
    const field = target.elements.namedItem("csrfmiddlewaretoken");
    if (field && token()) field.value = token();
  });

  // --- One line at the foot of the page when something did not work ---------------------------

  let toastTimer;
  function toast(text) {
    const box = document.getElementById("toast");
    if (!box || !text) return;
    box.textContent = text;
    box.classList.add("shown");
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => box.classList.remove("shown"), 6000);
  }

  // A refresh that fails is tried again by itself; only what a person did is worth a word.
  const byItself = (ctx) =>
    ctx && ctx.sourceElement && (ctx.sourceElement.id === "stream" || ctx.sourceElement.dataset.live !== undefined);

  document.addEventListener("htmx:error", ({ detail }) => {
    if (!byItself(detail.ctx)) toast(say("noAnswer"));
  });
  document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
    const status = ctx.response.status;
    if (byItself(ctx)) return;
    if (status >= 500) toast(say("noAnswer"));
    else if (status === 404 || ctx.response.headers.get("HX-Reswap") === "none") toast(say("outOfDate"));
  });

  // --- Clocks: from the absolute deadline on every paint, in the browser's own zone ------------

  const locale = root.lang || undefined;
  const zone = root.dataset.zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoneNames = {
    "Asia/Jakarta": "WIB", "Asia/Pontianak": "WIB", "Asia/Makassar": "WITA", "Asia/Jayapura": "WIT",
  };
  const day = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", timeZone: zone });
  const hour = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
  const zoned = new Intl.DateTimeFormat(locale, { timeZoneName: "short", timeZone: zone });
  const unit = (value, name) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(value);

  const zoneName = (date) =>
    zoneNames[zone] || zoned.formatToParts(date).find((part) => part.type === "timeZoneName").value;
  const exact = (date) => `${day.format(date)} ${hour.format(date)} ${zoneName(date)}`;
  const soon = (date) => Math.abs(date - Date.now()) < 43200000;
  const brief = (date) => (soon(date) ? `${hour.format(date)} ${zoneName(date)}` : exact(date));

  function span(seconds) {
    const d = Math.floor(seconds / 86400), h = Math.floor(seconds / 3600) % 24;
    const m = Math.floor(seconds / 60) % 60, s = Math.floor(seconds) % 60;
    if (d) return unit(d, "day") + (h ? ` ${unit(h, "hour")}` : "");
    if (h) return unit(h, "hour") + (m ? ` ${unit(m, "minute")}` : "");
    return m >= 2 ? unit(m, "minute") : (m ? `${unit(m, "minute")} ` : "") + unit(s, "second");
  }

  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function paint() {
    const now = Date.now();
    for (const element of document.querySelectorAll("time[data-deadline]")) {
      const date = new Date(element.dateTime), left = (date - now) / 1000;
      const words = left > 0 ? say("left").replace("%s", span(left)) : say("over");
      write(element, element.dataset.brief === undefined ? `${words} · ${brief(date)}` : words);
      element.title = exact(date);
      element.classList.toggle("soon", left < 600);
    }
    for (const element of document.querySelectorAll("time[data-moment]")) {
      const date = new Date(element.dateTime);
      write(element, soon(date) ? hour.format(date) : `${day.format(date)} ${hour.format(date)}`);
      element.title = exact(date);
    }
  }

  setInterval(() => document.hidden || paint(), 1000);

  // --- Live: an event, a slow poll, or coming back to the page; hidden tabs ask nothing ----------

  const POLL = 30000;
  let asked = Date.now(), underWay = 0, wanted = false;
  const versions = new Map();

  // A refresh that waited in line behind a tap would bring back the page from before the tap, so
  // it is only asked for when nothing else is under way.
  function refresh() {
    const live = document.querySelector("[data-live]");
    if (!live || document.hidden) return;
    wanted = underWay > 0;
    if (wanted) return;
    asked = Date.now();
    live.dispatchEvent(new CustomEvent("gaple:refresh"));
  }

  const isStream = ({ detail }) => detail.ctx.sourceElement.id === "stream";
  document.addEventListener("htmx:before:request", (event) => isStream(event) || underWay++);
  document.addEventListener("htmx:finally:request", (event) => {
    if (isStream(event)) return;
    underWay = Math.max(0, underWay - 1);
    if (wanted) setTimeout(refresh);
  });

  document.addEventListener("game", ({ detail }) => {
    const { code, version } = JSON.parse(detail.data);
    const shown = document.querySelector(`[data-live][data-code="${code}"]`);
    const known = shown ? Number(shown.dataset.version) : versions.get(code) ?? version;
    versions.set(code, version);
    if (known !== version) refresh();
  });

  function back() {
    paint();
    if (Date.now() - asked > 2000) refresh();
  }
  setInterval(() => Date.now() - asked >= POLL && refresh(), 5000);
  document.addEventListener("visibilitychange", () => document.hidden || back());
  window.addEventListener("focus", back);
  // A page that the back button brings from memory shows an old hand.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

  // --- After new content came in ------------------------------------------------------------

  function settle() {
    paint();
    fillPhrases();
    const live = document.querySelector("[data-live][data-waiting]");
    if (live) showWaiting(Number(live.dataset.waiting), live.dataset.title);
    if (document.querySelector("#table.game")) sitDown();
    // What had the focus is gone, so the keyboard goes on from whose turn it is.
    const turn = document.getElementById("turn");
    if (turn && document.activeElement === document.body && hadFocus) turn.focus({ preventScroll: true });
  }

  // A lobby has become the table: it takes the whole screen, seen from its top.
  function sitDown() {
    if (document.body.classList.contains("at-table")) return;
    document.body.classList.add("at-table");
    window.scrollTo(0, 0);
    document.getElementById("turn")?.focus({ preventScroll: true });
  }

  let hadFocus = false;
  document.addEventListener("htmx:before:swap", () => {
    hadFocus = document.activeElement !== document.body;
  });
  document.addEventListener("htmx:after:swap", settle);

  function showWaiting(count, title) {
    document.title = (count ? `(${count}) ` : "") + (title || document.title.replace(/^\(\d+\) /, ""));
    const badge = document.getElementById("waiting-count");
    if (badge) {
      badge.hidden = !count;
      badge.firstElementChild.textContent = count;
    }
    const icon = document.getElementById("favicon");
    const wanted = icon && icon.dataset[count ? "waiting" : "idle"];
    if (wanted && icon.getAttribute("href") !== wanted) icon.href = wanted;
  }

  // A refresh must not close what somebody opened.
  if (window.htmx)
    window.htmx.registerExtension("keep-open", {
      htmx_before_morph_attr: (element, { attrName }) =>
        !(attrName === "open" && element.tagName === "DETAILS"),
    });

  // --- Small things -------------------------------------------------------------------------

  document.addEventListener("click", ({ target }) => {
    const press = target.closest("[data-press]");
    if (press) document.getElementById(press.dataset.press)?.click();
    const copy = target.closest("[data-copy]");
    if (copy) copyFrom(document.querySelector(copy.dataset.copy));
    for (const menu of document.querySelectorAll("details.menu[open]"))
      if (!menu.contains(target)) menu.open = false;
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape")
      for (const menu of document.querySelectorAll("details.menu[open]")) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
    const typing = event.target.closest("input, textarea, select");
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`)?.click();
  });

  async function copyFrom(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      toast(say("copied"));
    } catch {
      // Without leave to copy, the selected text is left for the person to copy.
    }
  }

  const words = (
    "angin api awan bambu beras bintang bulan bunga cendana cengkih danau daun embun gajah garam " +
    "gula hujan ikan intan jagung jambu jeruk kapal kelapa kerang kopi kuda lada laut madu mangga " +
    "melati nanas ombak padi pala pandan pantai payung perahu pisang pohon rusa sagu sawah senja " +
    "sungai tebu telur timun tikar topi ubi udang wayang"
  ).split(" ");

  function fillPhrases() {
    for (const field of document.querySelectorAll("input[data-random-phrase]")) {
      if (field.value || field.dataset.filled) continue;
      const picks = crypto.getRandomValues(new Uint32Array(4));
      field.value = Array.from(picks, (n) => words[n % words.length]).join(" ");
      field.dataset.filled = "";
    }
  }

  fillPhrases();
  paint();
})();
