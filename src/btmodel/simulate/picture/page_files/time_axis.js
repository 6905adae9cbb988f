// Ticks of time: the least round distance at which they do not touch.
const MINUTE = 6e4, HOUR = 36e5, DAY = 864e5;
const ROUND = [1e3, 5e3, 15e3, 3e4, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR,
  3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 364 * DAY];
const timeTicks = (from, to, width) => {
  const distance = ROUND.find(one => (to - from) / one * 58 <= width) ?? ROUND.at(-1);
  const ticks = [];
  for (let at = Math.ceil(from / distance) * distance; at <= to; at += distance) {
    ticks.push({at, day: at % DAY === 0, text: at % DAY === 0 ? dayOf(at) : clock(at, distance < MINUTE)});
  }
  return ticks;
};
const drawTimeAxis = (context, heat, span, box) => {
  const from = atStep(heat, span[0] * heat.steps), to = atStep(heat, span[1] * heat.steps);
  context.fillStyle = context.strokeStyle = ink("soft");
  context.textBaseline = "top";
  let end = -1e9;
  for (const [number, {at, text: plain, day}] of timeTicks(from, to, box.width).entries()) {
    const text = number || day ? plain : `${dayOf(at)} ${plain}`;
    const x = box.left + (at - from) / (to - from) * box.width, wide = context.measureText(text).width;
    context.fillRect(Math.round(x), box.top + box.height, 1, day ? 6 : 4);
    const left = Math.min(Math.max(x - wide / 2, box.left), box.left + box.width - wide);
    if (left < end + 6) continue;
    context.fillText(text, left, box.top + box.height + 7);
    end = left + wide;
  }
};
