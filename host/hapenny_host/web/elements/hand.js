// The hand on /play: lies over the board, aims by pointer, touch or keys, and shoves. Millimetres as in board.js.

const WIDTH = 368.3;
const LENGTH = 610;
const RADIUS = 12.7;
const RIM = 13;
const FRONT = 96; // a press nearer to the edge than this also places the disc
const FULL_SPEED = 1.6; // m/s at full power: the disc slides well past the far line
const LEAST = 0.03; // less power than this is a change of mind, not a shove
const STEEPEST = 40; // degrees
const AT_Y = 6; // where the disc lies, partly over the edge

export default {
  template: `
    <svg class="hand" :viewBox="box" tabindex="0" role="application" :aria-label="label"
         @pointerdown="press" @pointermove="drag" @pointerup="release" @pointercancel="cancel" @contextmenu.prevent="cancel">
      <rect x="-13" y="-13" width="394.3" :height="size.h" fill="transparent"/>
      <g class="stack">
        <use v-for="k in Math.max(0, hand - ready)" :key="k" href="#disc" :x="22 + (k - 1) * 29" :y="610 + apron - 51"/>
      </g>
      <g v-if="ready">
        <g :transform="'translate(' + x + ' ' + (610 - 6) + ') rotate(' + angle + ')'">
          <line v-if="power" x1="0" y1="0" x2="0" :y2="power * 92" stroke="#ffd98a" stroke-opacity=".55" :stroke-width="3 + 5 * power" stroke-linecap="round"/>
          <path v-if="power" :d="arrow" fill="#ffd98a" fill-opacity=".85"/>
        </g>
        <ellipse :cx="x + 1.6" :cy="610 - 6 + 2.4" rx="13" ry="12.9" fill="#000" opacity=".38"/>
        <use href="#disc" :x="x" :y="610 - 6 + pulled"/>
        <circle v-if="!power" :cx="x" cy="604" r="16.5" class="ready"/>
        <g :transform="'translate(368.3 ' + (610 + apron - 52) + ')'">
          <text x="-6" y="0" text-anchor="end" class="power">{{ (power * 100).toFixed(1) }}<tspan class="unit" dx="2">%</tspan></text>
          <text x="-6" y="15" text-anchor="end" class="detail">{{ detail }}</text>
        </g>
        <g :transform="'translate(0 ' + (610 + apron - 22) + ')'">
          <rect width="368.3" height="5" rx="2.5" fill="#3a2a20"/>
          <rect :width="368.3 * power" height="5" rx="2.5" fill="url(#gauge)"/>
          <path v-if="last" :d="'M' + 368.3 * last + ' -3v11'" stroke="#fff6dc" stroke-width="1.4"/>
        </g>
        <defs><linearGradient id="gauge"><stop offset="0" stop-color="#d7a646"/><stop offset="1" stop-color="#ff7d4a"/></linearGradient></defs>
      </g>
      <text v-if="!ready && why" x="184" :y="610 + apron - 16" text-anchor="middle" class="why">{{ why }}</text>
    </svg>`,
  props: {
    ready: { type: Boolean, default: false }, // whether a disc may be shoved now
    why: { type: String, default: "" }, // why not, if not
    hand: { type: Number, default: 0 }, // discs in hand
    apron: { type: Number, default: 100 },
  },
  emits: ["shove"],
  data() {
    return { x: WIDTH / 2, power: 0, angle: 0, last: 0, start: null };
  },
  computed: {
    size() {
      return { w: WIDTH + 2 * RIM, h: LENGTH + 2 * RIM + this.apron };
    },
    box() {
      return `${-RIM} ${-RIM} ${this.size.w} ${this.size.h}`;
    },
    speed() {
      return FULL_SPEED * Math.sqrt(this.power); // so that the distance grows evenly with the power
    },
    pulled() {
      return this.start ? this.power * 14 : 0;
    },
    arrow() {
      const tip = -22 - this.power * 70;
      return `M-1.6 -16L-1.6 ${tip + 8}L-5 ${tip + 8}L0 ${tip}L5 ${tip + 8}L1.6 ${tip + 8}L1.6 -16z`;
    },
    detail() {
      const turned = Math.abs(this.angle) < 0.05 ? "straight" : `${Math.abs(this.angle).toFixed(1)}° ${this.angle > 0 ? "right" : "left"}`;
      return `${this.speed.toFixed(2)} m/s · ${turned}`;
    },
    label() {
      return "Shove: drag back and let go. Left and right arrows move the disc; with Shift they turn the aim. Up and down set the power. Space shoves.";
    },
  },
  mounted() {
    this.onKey = (event) => this.key(event);
    // A clicked button would keep the focus (in Quasar on a span inside) and take the space bar for itself.
    this.onClick = (event) => event.detail && onButton() && document.activeElement.blur();
    window.addEventListener("keydown", this.onKey);
    window.addEventListener("click", this.onClick);
  },
  beforeUnmount() {
    window.removeEventListener("keydown", this.onKey);
    window.removeEventListener("click", this.onClick);
  },
  methods: {
    /** A pointer's place on the board in millimetres. */
    at(event) {
      const box = this.$el.getBoundingClientRect();
      const k = this.size.w / box.width;
      return { x: (event.clientX - box.left) * k - RIM, y: LENGTH - ((event.clientY - box.top) * k - RIM) };
    },
    press(event) {
      if (!this.ready || event.button) return;
      const { x, y } = this.at(event);
      if (y < FRONT) this.x = Math.min(WIDTH - RADIUS, Math.max(RADIUS, x));
      this.start = { x: event.clientX, y: event.clientY };
      this.power = this.angle = 0;
      this.$el.setPointerCapture(event.pointerId);
    },
    drag(event) {
      if (!this.start) return;
      const [dx, dy] = [event.clientX - this.start.x, event.clientY - this.start.y];
      const full = Math.min(460, Math.max(150, window.innerHeight * 0.5)); // pixels for full power
      this.power = dy > 0 ? Math.min(1, Math.hypot(dx, dy) / full) : 0;
      const angle = (Math.atan2(-dx, dy) * 180) / Math.PI;
      this.angle = dy > 0 ? Math.min(STEEPEST, Math.max(-STEEPEST, angle)) : 0;
    },
    release() {
      if (!this.start) return;
      this.start = null;
      this.shove();
    },
    cancel() {
      this.start = null;
      this.power = this.angle = 0;
    },
    shove() {
      if (this.ready && this.power >= LEAST) {
        this.last = this.power;
        this.$emit("shove", { x: this.x, speed: this.speed, angle: (this.angle * Math.PI) / 180 });
      }
      this.power = this.angle = 0;
    },
    key(event) {
      const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
      const asked = document.querySelector(".q-dialog__inner"); // the empty frame around a dialog stays a while after it
      const busy = writing || (onButton() && event.key === " ") || asked;
      if (event.key === "Escape") document.querySelector(".referee-close")?.click();
      if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
      const fine = event.shiftKey;
      const moves = {
        ArrowLeft: () => (fine ? this.turn(-0.5) : this.shift(-2)),
        ArrowRight: () => (fine ? this.turn(0.5) : this.shift(2)),
        ArrowUp: () => this.charge(fine ? 0.001 : 0.01),
        ArrowDown: () => this.charge(fine ? -0.001 : -0.01),
        " ": () => this.shove(),
        Escape: () => this.cancel(),
      };
      if (!moves[event.key] || !this.ready) return;
      event.preventDefault();
      moves[event.key]();
    },
    /** More or less power. The first press starts at the power of the last shove. */
    charge(step) {
      this.power = this.power || !this.last ? Math.min(1, Math.max(0, this.power + step)) : this.last;
    },
    shift(mm) {
      this.x = Math.min(WIDTH - RADIUS, Math.max(RADIUS, this.x + mm));
    },
    turn(degrees) {
      this.angle = Math.min(STEEPEST, Math.max(-STEEPEST, this.angle + degrees));
    },
  },
};

function onButton() {
  return !!document.activeElement?.closest("button");
}
