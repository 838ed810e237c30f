// Draws words and tally marks as chalk on slate, with its own stroke alphabet: no font is needed.

const HIGH = 14; // height of a capital; paths below are in these units, baseline at HIGH

// letter: [width, path]
const LETTERS = {
  A: [9, "M0 14L4.5 0L9 14M1.6 9.3L7.4 9"],
  B: [8, "M0 0L.2 14M0 0C7-.5 8 6 .4 6.6C9 6.3 9.6 14.4.2 14"],
  C: [9, "M8.5 2.4C6.5-1 .5-.5.3 7C.2 14.5 6 15.4 8.7 11.6"],
  D: [9, "M0 0L.2 14C10.6 14.4 11-.6 0 0"],
  E: [7.8, "M7.5 0L0 .2L.2 14L7.8 13.8M.1 6.9L6 6.6"],
  F: [7.3, "M7.4 0L0 .2L.2 14M.1 7L5.9 6.6"],
  G: [9.2, "M8.6 2.4C6.5-1 .5-.5.3 7C.2 15 8.2 16 8.8 8.3L5.3 8.4"],
  H: [8.5, "M0 0L.1 14M8.5-.2L8.4 14M.1 7.1L8.4 6.6"],
  I: [1.6, "M.8 0L.9 14"],
  J: [6.2, "M6 0L6 10C6 15 .6 15 0 11"],
  K: [8.3, "M0 0L.1 14M7.9-.1L.3 8.2M2.7 5.9L8.4 14"],
  L: [7, "M0 0L.2 14L7 13.7"],
  M: [11, "M0 14L.9 0L5.5 9.6L10.1 0L11 14"],
  N: [8.8, "M0 14L.1 0L8.7 14L8.8-.2"],
  O: [9.6, "M5 .1C-1.6-.4-1.5 14.2 4.8 14C11.2 13.8 11 .2 4.2.2"],
  P: [7.4, "M.2 14L0 .1C9.4-.9 9.6 8 .2 7.6"],
  Q: [10, "M5 .1C-1.6-.4-1.5 14.2 4.8 14C11.2 13.8 11 .2 4.2.2M5.8 10.2L9.9 15.2"],
  R: [8.2, "M.2 14L0 .1C9.4-.9 9.6 8 .2 7.6M3 7.7L8.3 14"],
  S: [8, "M7.6 2C5.5-1.2 0-.4.4 3.6C.8 7.2 8 6.2 8 10.4C8 15 1.6 15 0 11.6"],
  T: [9, "M0 .2L9-.1M4.5.1L4.6 14"],
  U: [8.6, "M0 0L0 9C0 15.6 8.6 15.6 8.6 9L8.6-.1"],
  V: [9, "M0 0L4.5 14L9-.1"],
  W: [13, "M0 0L3.1 14L6.5 3.4L9.9 14L13-.1"],
  X: [8.6, "M0 0L8.6 14M8.5-.1L0 14"],
  Y: [8.6, "M0 0L4.3 6.9M8.6-.1L4.3 6.9L4.4 14"],
  Z: [8.4, "M.3.1L8.2 0L0 14L8.4 13.8"],
  Æ: [13, "M0 14L6 0L12.6 0M1.8 9.3L6.4 9.2M6.4 0L6.6 14L13 13.8M6.5 6.8L11.4 6.6"],
  Ø: [9.6, "M5 .1C-1.6-.4-1.5 14.2 4.8 14C11.2 13.8 11 .2 4.2.2M9.4-.8L.2 14.8"],
  ß: [8, "M0 14L0 4C0-1.6 7.4-1.4 6.6 3C6.2 5 4 5.4 4 6.8C4 8.4 8 8.2 8 11C8 14.6 4 14.6 3 13"],
  0: [8, "M4.2 0C-1.2-.2-1.2 14.1 4 14C9.2 13.8 9.2.1 3.8.1"],
  1: [4.4, "M.4 3.2L3.6 0L3.7 14"],
  2: [8, "M.4 3.4C.8-1.2 8-1.2 7.6 3.8C7.4 7 2.5 9.5 0 14L8 13.7"],
  3: [8, "M.6 1.6C3-1.3 8-.4 7.4 3.6C7 6.4 4.6 6.6 3 6.6C5.2 6.6 8.2 7.4 8 10.4C7.6 15.2 1.6 15 0 12"],
  4: [8.2, "M5.9 14L5.8 0L0 9.7L8.2 9.4"],
  5: [8, "M7.3 0L1.3.2L.6 6C4 4.4 8.2 5.6 8 9.6C7.8 14.8 1.8 15 0 12"],
  6: [8, "M6.8.5C2.8 1 0 5.6.2 9.6C.4 15.4 8 15.2 7.8 9.8C7.6 5.4 1.8 5.6.4 9"],
  7: [7.8, "M0 .2L7.8 0C5 4 3.6 8.6 3 14"],
  8: [8, "M4 6.4C-.6 5.4 0 0 4 0C8 0 8.4 5.4 4 6.4C-1.4 7.6-1 14 4 14C9 14 9.2 7.6 4 6.4"],
  9: [8, "M7.6 4.6C7.2-1.4.2-1.2.4 4C.6 8.8 7 8.4 7.6 4.2C7.8 8.4 7 11.6 5.6 14"],
  ".": [1.4, "M.5 13.3L.9 14"],
  ",": [1.8, "M1.2 13L.3 16"],
  "!": [1.8, "M.9 0L.9 9.6M.8 13.3L1 14"],
  "?": [7.4, "M.2 2.6C1.4-1.2 7.8-.8 7.2 3.4C6.8 6 3.4 6.4 3.4 9.8M3.3 13.3L3.5 14"],
  "'": [1.4, "M1 0L.5 3.6"],
  "-": [5.4, "M.4 7.5L5 7.2"],
  "–": [7.4, "M.2 7.4L7.2 7.2"],
  "·": [2, "M.8 7L1.2 7.6"],
  ":": [1.6, "M.6 5L1 5.6M.6 12.6L1 13.2"],
  "&": [10, "M9.8 14L2.6 3.6C1-.6 6.8-1.2 6.6 2.4C6.4 6 .2 7 .2 10.8C.4 15.4 7.4 14.6 9.2 8"],
  "+": [7.4, "M0 7.4L7.4 7.1M3.7 3.6L3.7 11"],
  "/": [6, "M6-.2L0 14.4"],
  "(": [3.4, "M3.2-.6C-.6 3.6-.6 11 3.2 15"],
  ")": [3.4, "M.2-.6C4 3.6 4 11 .2 15"],
  "%": [9, "M8.4 0L.6 14M1.8.4C-.4.6-.2 4.4 1.8 4.4C4 4.4 4 .4 1.8.4M7.2 9.6C5 9.8 5.2 13.8 7.2 13.8C9.4 13.8 9.2 9.6 7.2 9.6"],
};

// combining accents, drawn over a letter of width w
const ACCENTS = {
  "\u0300": (w) => `M${w / 2 - 2}-4L${w / 2 + 0.6}-2`,
  "\u0301": (w) => `M${w / 2 + 2}-4L${w / 2 - 0.6}-2`,
  "\u0302": (w) => `M${w / 2 - 2}-1.8L${w / 2}-4L${w / 2 + 2}-1.8`,
  "\u0303": (w) => `M${w / 2 - 2.6}-2C${w / 2 - 1.4}-4.6 ${w / 2 + 1.2}-1 ${w / 2 + 2.6}-3.6`,
  "\u0308": (w) => `M${w / 2 - 2.2}-3L${w / 2 - 1.8}-2.4M${w / 2 + 1.8}-3L${w / 2 + 2.2}-2.4`,
  "\u030a": (w) => `M${w / 2}-1.6C${w / 2 - 2}-1.6 ${w / 2 - 2}-4.6 ${w / 2}-4.6C${w / 2 + 2}-4.6 ${w / 2 + 2}-1.6 ${w / 2}-1.6`,
  "\u030c": (w) => `M${w / 2 - 2}-4L${w / 2}-1.8L${w / 2 + 2}-4`,
  "\u0327": (w) => `M${w / 2} 14L${w / 2 + 0.6} 15.6L${w / 2 - 1} 17`,
};

const SMALL = 0.8; // lower case is written as small capitals
const GAP = 3;
const SPACE = 5.4;

/** A hand is never exact. Returns -1..1, the same for the same place and letter, so that redrawing changes nothing. */
function waver(i, seed) {
  const x = Math.sin(i * 127.1 + seed * 311.7) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

/** The strokes of a text: {width, glyphs: [{d, x, y, scale, turn}], strange: [{text, x}]} in units of HIGH = 14. */
export function write(text) {
  const glyphs = [];
  const strange = [];
  let x = 0;
  [...String(text ?? "").normalize("NFD")].forEach((character, i) => {
    const capital = character.toUpperCase();
    const last = glyphs[glyphs.length - 1];
    if (ACCENTS[character]) {
      if (last) last.d += ACCENTS[character](last.width);
    } else if (character === " ") {
      x += SPACE;
    } else if (LETTERS[character] || LETTERS[capital]) {
      const small = !LETTERS[character];
      const [width, d] = LETTERS[character] ?? LETTERS[capital];
      const scale = small ? SMALL : 1;
      const y = (1 - scale) * HIGH + waver(i, 1) * 0.35;
      glyphs.push({ d, x, y, scale, width, turn: waver(i, 2) * 1.6 });
      x += width * scale + GAP;
    } else {
      strange.push({ text: character, x });
      x += 10 + GAP;
    }
  });
  return { width: Math.max(0, x - GAP), glyphs, strange };
}

/** A text as SVG markup. `size` is the height of a capital; a text wider than `most` is squeezed into it. */
export function chalk(text, { x = 0, y = 0, size = 40, anchor = "start", most = Infinity, colour = "#f1efe6", weight = 1 }) {
  const { width, glyphs, strange } = write(text);
  let k = size / HIGH;
  if (width * k > most) k = most / width;
  const left = anchor === "middle" ? x - (width * k) / 2 : anchor === "end" ? x - width * k : x;
  const top = y - HIGH * k;
  const strokes = glyphs
    .map((g) => `<path d="${g.d}" transform="translate(${g.x} ${g.y}) scale(${g.scale}) rotate(${g.turn.toFixed(2)} ${g.width / 2} 7)"/>`)
    .join("");
  const others = strange
    .map((s) => `<text x="${s.x}" y="13.6" font-size="16" fill="${colour}" stroke="none">${escape(s.text)}</text>`)
    .join("");
  return (
    `<g transform="translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${k.toFixed(4)})" fill="none" stroke="${colour}" ` +
    `stroke-width="${(1.55 * weight).toFixed(2)}" stroke-linecap="round" stroke-linejoin="round">${strokes}${others}</g>`
  );
}

export function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** A tally mark centred on x, y: a stroke, or the cross that fills a bed; in darts a slash, cross or ring. A `fresh` mark is animated. */
export function mark(kind, { x, y, size = 50, colour = "#f1efe6", seed = 0, fresh = false }) {
  const h = size / 2;
  const w = (n) => waver(seed, n) * size * 0.05;
  const r = h * 0.86;
  const slash = `M${x + h * 0.6 + w(5)} ${y - h * 0.85 + w(6)}L${x - h * 0.6 + w(7)} ${y + h * 0.85 + w(8)}`;
  const ring = `M${x + w(1)} ${y - r}C${x - r * 1.4 + w(2)} ${y - r} ${x - r * 1.3} ${y + r} ${x + w(3)} ${y + r}C${x + r * 1.4} ${y + r} ${x + r * 1.3 + w(4)} ${y - r} ${x - r * 0.2} ${y - r * 0.97}`;
  const strokes = {
    stroke: [`M${x + h * 0.16 + w(1)} ${y - h + w(2)}L${x - h * 0.16 + w(3)} ${y + h + w(4)}`],
    cross: [`M${x - h * 0.75 + w(1)} ${y - h * 0.85 + w(2)}L${x + h * 0.75 + w(3)} ${y + h * 0.85 + w(4)}`,
            `M${x + h * 0.75 + w(5)} ${y - h * 0.85 + w(6)}L${x - h * 0.75 + w(7)} ${y + h * 0.85 + w(8)}`],
    slash: [slash],
    ring: [ring],
  };
  return strokes[kind]
    .map((d, i) => {
      const drawn = fresh ? ` style="animation-delay:${0.25 * i}s" pathLength="1"` : "";
      return `<path class="${kind}${fresh ? " drawn" : ""}" d="${d}" fill="none" stroke="${colour}" stroke-width="${size * 0.15}" stroke-linecap="round"${drawn}/>`;
    })
    .join("");
}

/** A filter that turns clean strokes into chalk. `id` must be unique on the page; `grain` fits it to the drawing's scale. */
export function chalkFilter(id, grain = 1) {
  return `<filter id="${id}" x="-5%" y="-15%" width="110%" height="130%">
    <feTurbulence type="fractalNoise" baseFrequency="${0.035 / grain}" numOctaves="2" seed="4" result="wobble"/>
    <feDisplacementMap in="SourceGraphic" in2="wobble" scale="${5 * grain}" result="stroke"/>
    <feTurbulence type="fractalNoise" baseFrequency="${0.42 / grain}" numOctaves="2" seed="9" result="grain"/>
    <feColorMatrix in="grain" type="matrix" values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 -3.4 2.55" result="holes"/>
    <feComposite in="stroke" in2="holes" operator="in"/>
  </filter>`;
}
