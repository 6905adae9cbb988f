// Figures of three digits, and moments on the clock of the heat.
const three = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 3});
const figure = value => value && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e9) ? value.toExponential(2).replace(".00", "") : three.format(value);
const whole = number => number.toLocaleString("en-US");
const many = (number, noun) => `${figure(number)} ${noun}${number === 1 ? "" : "s"}`;
const short = seconds => seconds < 1 ? `${figure(1000 * seconds)} ms` : `${figure(seconds)} s`;
const share = part => `${figure(100 * part)} %`;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = number => String(number).padStart(2, "0");
const dayOf = ms => { const one = new Date(ms); return `${one.getUTCDate()} ${MONTHS[one.getUTCMonth()]}`; };
const clock = (ms, seconds) => {
  const one = new Date(ms);
  return `${two(one.getUTCHours())}:${two(one.getUTCMinutes())}${seconds ? `:${two(one.getUTCSeconds())}` : ""}`;
};
const atStep = (heat, step) => heat.start + step * heat.seconds * 1000;
const spanOf = (heat, first, end) => {
  const from = atStep(heat, first), to = atStep(heat, end), seconds = heat.seconds % 60 !== 0;
  const day = dayOf(from) === dayOf(to) ? "" : `${dayOf(to)} `;
  return `${dayOf(from)} ${clock(from, seconds)} to ${day}${clock(to, seconds)}${heat.zone ? ` ${heat.zone}` : ""}`;
};
// The text as far as there is room for it.
const fitted = (context, text, room) => {
  if (context.measureText(text).width <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle; else high = middle - 1;
  }
  return low ? `${text.slice(0, low)}…` : "";
};
