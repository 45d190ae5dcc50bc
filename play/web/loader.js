// Loads the program with a progress bar, and says what the page can say better than a
// canvas: that loading failed, that the keyboard is elsewhere, that the page was hidden.
"use strict";
(() => {
  const { wasm, size } = document.currentScript.dataset;
  const load = document.getElementById("load");
  const bar = document.querySelector("#bar i");
  const text = document.getElementById("text");
  const note = document.getElementById("note");
  const bytes = document.getElementById("bytes");

  // The texts of the page in German; the game has its own. The language is that of the game: from the address, from its
  // settings, or from the browser.
  const german = {
    "Tickback: rollback you can feel": "Tickback: Rollback zum Anfassen",
    "loading": "lädt",
    "preparing": "bereitet vor",
    "starting": "startet",
    "%s of %s MB": "%s von %s MB",
    "licenses": "Lizenzen",
    "Try again": "Noch einmal",
    "You were away. Local games have waited for you.": "Du warst weg. Spiele auf diesem Gerät haben auf dich gewartet.",
    "Click here to play: the keyboard is elsewhere.": "Klick hier, um zu spielen: die Tastatur ist woanders.",
    "this browser has no WebAssembly. A newer one has.": "dieser Browser hat kein WebAssembly. Ein neuerer hat es.",
    "a part of the page has not come.": "ein Teil der Seite ist nicht angekommen.",
    "this browser draws without WebGL 2. It may be switched off in its settings.": "dieser Browser zeichnet ohne WebGL 2. Vielleicht ist es in seinen Einstellungen aus.",
    "the server says": "der Server sagt",
    "the game was not loaded:": "das Spiel wurde nicht geladen:",
    "the connection was lost while the game came.": "die Verbindung riss beim Laden ab.",
    "That did not work:": "Das hat nicht geklappt:",
    "The game has ended. Load the page again to play.": "Das Spiel ist zu Ende. Lade die Seite neu, um zu spielen.",
    "Tickback, a game. Arrow keys choose, Enter takes, Escape goes back.": "Tickback, ein Spiel. Pfeiltasten wählen aus, Enter nimmt, Escape geht zurück.",
  };
  const language = () => {
    let own;
    try {
      own = JSON.parse(localStorage.getItem("tickback.play"))?.language;
    } catch {} // there are no settings
    const wanted = [new URLSearchParams(location.search).get("language"), own, ...(navigator.languages ?? [])];
    return [spoken, ...wanted].map((tag) => /^(en|de)(?=[-_]|$)/i.exec(tag ?? "")?.[0].toLowerCase()).find(Boolean) ?? "en";
  };
  let spoken; // the game's language, once it runs
  const t = (text) => (language() === "de" && german[text]) || text;

  // What went wrong, and a button to try again. It works without the program.
  const again = document.getElementById("again");
  const speak = () => {
    document.documentElement.lang = language();
    document.title = (document.hidden ? "❚❚ " : "") + t("Tickback: rollback you can feel");
    again.textContent = t("Try again");
    bar.parentElement.setAttribute("aria-label", t("loading"));
    document.querySelector("#load a").textContent = t("licenses");
    document.querySelector("canvas")?.setAttribute("aria-label", t("Tickback, a game. Arrow keys choose, Enter takes, Escape goes back."));
  };
  speak();
  text.textContent = t("loading");
  // Called when the game has another language, because its settings were changed.
  window.tickbackLanguage = (tag) => {
    spoken = tag;
    speak();
  };
  again.addEventListener("click", () => location.reload());
  const fail = (message) => {
    load.className = "bad";
    load.style.display = "";
    text.textContent = message;
    again.focus();
  };
  window.tickbackFailed = fail;

  let hide = 0;
  const say = (message, seconds) => {
    note.firstElementChild.textContent = message;
    note.className = "on";
    clearTimeout(hide);
    if (seconds) hide = setTimeout(() => (note.className = ""), seconds * 1000);
  };

  // The keys of the game, for which the browser must not do anything. Tab is not one of them: it leads out of the page.
  const mine = new Set(["F1", "F2", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Backspace"]);
  addEventListener("keydown", (e) => mine.has(e.code) && load.className !== "bad" && !e.target.closest?.("#mirror") && e.preventDefault(), true);
  addEventListener("contextmenu", (e) => e.preventDefault());
  addEventListener("gesturestart", (e) => e.preventDefault());

  document.addEventListener("visibilitychange", () => {
    speak();
    if (!document.hidden) say(t("You were away. Local games have waited for you."), 3);
  });
  addEventListener("blur", () => document.hidden || say(t("Click here to play: the keyboard is elsewhere.")));
  addEventListener("focus", () => (note.className = ""));

  // Where drawing is slow, the program draws fewer pixels, and the browser enlarges them:
  // the canvas has as many pixels as the size that the body reports.
  let share = 1;
  const body = () => document.body.getBoundingClientRect();
  for (const [side, length] of [["clientWidth", "width"], ["clientHeight", "height"]])
    Object.defineProperty(document.body, side, { get: () => Math.max(1, Math.round(body()[length] * share)) });
  // The program assumes that the picture fills the window, but it only fills the safe area of the screen: so positions of
  // fingers and of the mouse are made relative to that.
  for (const kind of [window.MouseEvent, window.Touch])
    for (const [axis, side] of kind ? [["clientX", "left"], ["clientY", "top"]] : []) {
      const { get } = Object.getOwnPropertyDescriptor(kind.prototype, axis);
      Object.defineProperty(kind.prototype, axis, { configurable: true, get() { return get.call(this) - body()[side]; } });
    }
  window.tickbackResolution = (part, done) =>
    setTimeout(() => {
      share = part;
      dispatchEvent(new Event("resize"));
      done();
    });

  // Passes on the bytes as they arrive, and counts them: the length that a server reports is
  // the compressed one.
  let lost = false;
  let whole = 0; // compressed, if the server reports it
  const megabytes = (n) => (n / 1e6).toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const show = (got) => {
    const percent = Math.min(100, Math.floor((100 * got) / size));
    bar.style.width = percent + "%";
    if (whole) bytes.textContent = [(whole * percent) / 100, whole].reduce((s, n) => s.replace("%s", megabytes(n)), t("%s of %s MB"));
    bar.parentElement.setAttribute("aria-valuenow", percent);
  };
  let come; // called when all bytes are there
  const all = new Promise((done) => (come = done));
  const watched = (response) => {
    const reader = response.body.getReader();
    let got = 0;
    return new ReadableStream({
      async pull(out) {
        const { done, value } = await reader.read().catch((e) => {
          lost = true;
          throw e;
        });
        if (done) {
          text.textContent = t("preparing");
          come();
          return out.close();
        }
        got += value.length;
        show(got);
        out.enqueue(value);
      },
    });
  };

  // Says why the program cannot run here, so that nobody waits for it.
  const unable = () => {
    if (!window.WebAssembly) return t("this browser has no WebAssembly. A newer one has.");
    if (!window.Go) return t("a part of the page has not come.");
    if (!window.WebGL2RenderingContext) return undrawn();
  };
  const undrawn = () => t("this browser draws without WebGL 2. It may be switched off in its settings.");

  const download = async () => {
    try {
      const response = await fetch(wasm);
      if (!response.ok) throw new Error(t("the server says") + " " + response.status);
      whole = Number(response.headers.get("Content-Length"));
      // Old browsers only provide the bytes when all of them are there.
      return response.body ? new Response(watched(response), { headers: { "Content-Type": "application/wasm" } }) : response;
    } catch (e) {
      throw new Error(t("the game was not loaded:") + " " + e.message);
    }
  };

  // Sets what a screen reader says about the picture, which Tab reaches in its turn, not before everything else.
  const name = () => {
    const picture = document.querySelector("canvas");
    picture.tabIndex = 0;
    picture.setAttribute("role", "application");
    speak();
  };

  // Once the page runs, it is kept for when there is no network: until then, it has more important things to load.
  const keep = () => navigator.serviceWorker?.register("worker.js").catch(() => {}); // the game also works without it

  const start = async () => {
    const reason = unable();
    if (reason) throw new Error(reason);
    const go = new Go();
    const body = await download();
    const made = WebAssembly.instantiateStreaming
      ? WebAssembly.instantiateStreaming(body, go.importObject)
      : body.arrayBuffer().then((bytes) => WebAssembly.instantiate(bytes, go.importObject));
    made.catch(() => {}); // it is awaited below
    // The first context may take a second in which no bytes are read, so it is made while the last of them are compiled.
    await Promise.race([all, made]);
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error(undrawn());
    const { instance } = await made;
    text.textContent = t("starting");
    const shown = setInterval(() => {
      if (!window.tickback) return;
      clearInterval(shown);
      if (load.className === "bad") return;
      load.className = "done";
      setTimeout(() => load.className === "done" && (load.style.display = "none"), 500);
      focus();
      name();
      keep();
    }, 50);
    await go.run(instance);
    fail(t("The game has ended. Load the page again to play."));
  };
  start().catch((e) => fail(t("That did not work:") + " " + (lost ? t("the connection was lost while the game came.") : e.message)));
})();
