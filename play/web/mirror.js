// Makes elements beside the canvas from what the game says about its screens: texts, buttons, sliders and fields, which
// assistive technology reads and operates. Actions on them go to the game; what happens there is announced.
"use strict";
(() => {
  const mirror = document.getElementById("mirror");
  const log = document.getElementById("said");
  const canvas = () => document.querySelector("canvas");
  const shown = new Map(); // elements by their keys
  const maxSaid = 20; // announced lines that can be read again
  let acts = 0; // actions that the game has not handled yet
  let moving = false; // the focus is moved here, not by the user
  let focused = ""; // the key of what has the keyboard focus in the game
  // With fingers or a mouse, the focus stays on the picture; with keys or assistive technology, it follows the game's.
  let follows = !matchMedia("(pointer: coarse)").matches;
  addEventListener("pointerdown", () => (follows = false), true);
  addEventListener("keydown", () => (follows = true), true);

  const act = (key, how, number = 0, text = "") => {
    acts++;
    window.tickbackAct(JSON.stringify({ key, do: how, number, text }));
  };

  // How an element of each kind is made, and how it is changed. Labels are attributes, since the text beside a widget is
  // part of the picture.
  const set = (e, name, value) => e.getAttribute(name) !== String(value) && e.setAttribute(name, value);
  const write = (e, text) => e.textContent !== text && (e.textContent = text);
  const make = (tag, attributes = {}) => {
    const e = document.createElement(tag);
    for (const name in attributes) e.setAttribute(name, attributes[name]);
    return e;
  };
  const kinds = {
    text: { make: () => make("p"), change: (e, i) => write(e, i.label) },
    heading: { make: () => make("h2"), change: (e, i) => write(e, i.label) },
    button: {
      make: (key) => listen(make("button", { type: "button" }), "click", () => act(key, "press")),
      change: (e, i) => write(e, i.label),
    },
    slider: {
      make: (key) => listen(make("input", { type: "range" }), "input", (e) => act(key, "set", Number(e.target.value))),
      change: (e, i) => {
        set(e, "aria-label", i.label);
        set(e, "min", i.least ?? 0);
        set(e, "max", i.most ?? 0);
        set(e, "step", i.step ?? 1);
        set(e, "aria-valuetext", i.value ?? "");
        if (!acts && e.value !== String(i.now ?? 0)) e.value = i.now ?? 0;
      },
    },
    switch: {
      make: (key) => listen(make("input", { type: "checkbox", role: "switch" }), "change", () => act(key, "press")),
      change: (e, i) => {
        set(e, "aria-label", i.label);
        if (!acts) e.checked = i.now === 1;
      },
    },
    choice: {
      make: (key) => listen(make("select"), "change", (e) => act(key, "set", e.target.selectedIndex)),
      change: (e, i) => {
        set(e, "aria-label", i.label);
        const texts = i.of ?? [];
        if (e.length !== texts.length || texts.some((text, n) => e.options[n].text !== text)) e.replaceChildren(...texts.map((text) => new Option(text)));
        if (!acts) e.selectedIndex = i.now ?? 0;
      },
    },
    field: {
      make: (key) => listen(make("input", { type: "text", autocomplete: "off" }), "input", (e) => act(key, "type", 0, e.target.value)),
      change: (e, i) => {
        set(e, "aria-label", i.label);
        set(e, "maxlength", i.most ?? 0);
        if (!acts && e.value !== (i.value ?? "")) e.value = i.value ?? "";
      },
    },
  };
  const listen = (e, event, then) => (e.addEventListener(event, then), e);

  const create = (key, kind) => {
    const e = kinds[kind].make(key);
    e.dataset.kind = kind;
    e.addEventListener("focus", () => {
      if (moving || kind === "text" || kind === "heading") return;
      follows = true;
      act(key, "focus");
    });
    return e;
  };

  // Keys go to the game, as if the canvas had the focus, except for those that an element handles itself.
  const own = (e) => {
    const kind = e.target.dataset.kind;
    if (e.key === "Tab" || e.isComposing) return true;
    if (kind === "field") return !["ArrowUp", "ArrowDown", "Enter", "Escape"].includes(e.key);
    if (kind === "button") return e.key === "Enter" || e.key === " ";
    return kind === "switch" && e.key === " ";
  };
  const forward = (e) => {
    if (own(e)) return;
    e.preventDefault();
    const to = canvas();
    to.focus = () => {}; // it would take the focus with each key
    const { key, code, location, repeat, ctrlKey, shiftKey, altKey, metaKey } = e;
    to.dispatchEvent(new KeyboardEvent(e.type, { key, code, location, repeat, ctrlKey, shiftKey, altKey, metaKey, bubbles: false, cancelable: true }));
    delete to.focus;
  };
  mirror.addEventListener("keydown", forward);
  mirror.addEventListener("keyup", forward);

  const place = (e, [left, top, width, height]) => {
    const text = `left:${left / 10}%;top:${top / 10}%;width:${width / 10}%;height:${height / 10}%`;
    if (e.dataset.box !== text) e.style.cssText = e.dataset.box = text;
  };

  const show = (items) => {
    const left = new Set(shown.keys());
    let texts = 0;
    items.forEach((item, at) => {
      const key = item.kind + " " + (item.key || texts++);
      left.delete(key);
      let e = shown.get(key);
      if (!e) shown.set(key, (e = create(item.key, item.kind)));
      kinds[item.kind].change(e, item);
      if (item.key) place(e, item.box);
      if (mirror.children[at] !== e) move(e, at);
    });
    for (const key of left) {
      shown.get(key).remove();
      shown.delete(key);
    }
  };
  // An element that is moved loses the focus, so the others are moved around one that has it.
  const move = (e, at) => {
    if (e === document.activeElement) while (mirror.children[at] !== e) mirror.append(mirror.children[at]);
    else mirror.insertBefore(e, mirror.children[at] ?? null);
  };

  const follow = (items) => {
    const item = items.find((i) => i.focused);
    const key = item ? item.kind + " " + item.key : "";
    const was = document.activeElement;
    const lost = !was || was === document.body; // the element that had it is gone
    if (key === focused && !lost) return;
    focused = key;
    if (!lost && was !== canvas() && !mirror.contains(was)) return; // the focus is elsewhere in the page
    const to = (follows && shown.get(key)) || canvas();
    if (to === was || (!follows && !lost && was === canvas())) return;
    moving = true;
    to.focus({ preventScroll: true });
    moving = false;
  };

  const say = (said) => {
    for (const text of said) log.append(Object.assign(make("p"), { textContent: text }));
    while (log.children.length > maxSaid) log.firstChild.remove();
  };

  let language = "";
  window.tickbackMirror = (json) => {
    const d = JSON.parse(json);
    if (d.language !== language) window.tickbackLanguage((language = d.language));
    acts = Math.max(0, acts - d.acts);
    const items = d.items ?? [];
    show(items);
    follow(items);
    say(d.said ?? []);
  };
})();
