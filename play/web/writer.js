// Writes text that the game's own font lacks, on a canvas outside of the document, and cuts text into letters: the browser
// has the fonts and the rules.
"use strict";
(() => {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });

  const use = (size, rtl) => {
    pen.font = `bold ${size}px sans-serif`;
    pen.direction = rtl ? "rtl" : "ltr";
    pen.textAlign = "left";
    pen.fillStyle = "#fff";
  };

  // How far a text advances the pen, relative to the size.
  const advance = (text, rtl) => {
    use(100, rtl);
    return pen.measureText(text).width / 100;
  };

  // Paints a text in a size. The result is the part with ink, premultiplied; x and y are its position relative to the pen.
  const paint = (text, size, rtl, most) => {
    const width = Math.min(Math.ceil(advance(text, rtl) * size) + 2 * size, most);
    const height = Math.min(Math.ceil(3.5 * size), most / 2);
    canvas.width = width; // this also empties it, and resets how it writes
    canvas.height = height;
    use(size, rtl);
    pen.fillText(text, size, 2 * size);
    const all = pen.getImageData(0, 0, width, height).data;
    const ink = { left: width, top: height, right: 0, bottom: 0, coloured: false };
    for (let i = 0; i < all.length; i += 4) {
      const alpha = all[i + 3];
      if (alpha === 0) continue;
      const x = (i / 4) % width;
      const y = Math.floor(i / 4 / width);
      ink.left = Math.min(ink.left, x);
      ink.right = Math.max(ink.right, x + 1);
      ink.top = Math.min(ink.top, y);
      ink.bottom = y + 1;
      ink.coloured ||= alpha > 128 && Math.min(all[i], all[i + 1], all[i + 2]) < 220;
      for (let c = i; c < i + 3; c++) all[c] = (all[c] * alpha) / 255;
    }
    const w = Math.max(ink.right - ink.left, 0);
    const h = Math.max(ink.bottom - ink.top, 0);
    const pixels = new Uint8Array(4 * w * h);
    for (let y = 0; y < h; y++) {
      const from = 4 * ((ink.top + y) * width + ink.left);
      pixels.set(all.subarray(from, from + 4 * w), 4 * y * w);
    }
    return { pixels, x: ink.left - size, y: ink.top - 2 * size, w, h, coloured: ink.coloured };
  };

  // Browsers do not report that no font has a letter, but they draw a box: an empty one, or one with the number of the
  // code point. These two will never be letters; one has a number of four digits, the other of six.
  const boxed = (text) => {
    const got = paint(text, 32, false, 512);
    return got.w > 0 && ["\uFFFF", "\u{10FFFF}"].some((none) => sameEdge(got, paint(none, 32, false, 512)));
  };
  const sameEdge = (a, b) => {
    if (a.w !== b.w || a.h !== b.h) return false;
    const edge = (i) => {
      const x = (i >> 2) % a.w;
      const y = Math.floor((i >> 2) / a.w);
      return x === 0 || y === 0 || x === a.w - 1 || y === a.h - 1;
    };
    return a.pixels.every((v, i) => v === b.pixels[i] || !edge(i));
  };
  // Code points without a picture of their own.
  const changes = /^[\u200C\u200D\p{Variation_Selector}]$/u;
  const has = (letter) => {
    const [first, ...rest] = letter;
    return !boxed(first) && rest.every((r) => changes.test(r) || !boxed(r) || !boxed(letter));
  };

  if (pen) window.tickbackWriter = { advance, paint, has };

  const segmenter = window.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const simply = /^.\p{M}*(\u200D.\p{M}*)*/su; // for old browsers
  window.tickbackLetter = (text) => (segmenter ? segmenter.segment(text).containing(0).segment : simply.exec(text)[0]);
})();
