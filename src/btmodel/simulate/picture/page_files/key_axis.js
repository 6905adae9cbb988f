// The axis of keys: a column a field, in which ranges of the same value are one box, or ticks where there is no room.
const MOST_FIELDS = 3, ROW = 13;
const fieldsShown = heat => {
  const varies = heat.fields.map((_, at) => at).filter(at => heat.labels.some(label => (label[at] ?? "") !== (heat.labels[0][at] ?? "")));
  return (varies.length ? varies : heat.fields.map((_, at) => at)).slice(0, MOST_FIELDS);
};
const columnsOf = (context, heat, room) => {
  if (heat.columns?.room === room) return heat.columns.found;
  const shown = fieldsShown(heat), most = Math.max(40, Math.min(150, room / Math.max(shown.length, 1)));
  const every = Math.max(1, Math.floor(heat.buckets / 200));
  let left = 0;
  const found = shown.map(field => {
    let wide = context.measureText(heat.fields[field]).width;
    for (let i = 0; i < heat.buckets; i += every) wide = Math.max(wide, context.measureText(heat.labels[i][field] ?? "").width);
    const column = {field, left, width: Math.ceil(Math.min(most, wide + 12))};
    left += column.width;
    return column;
  });
  heat.columns = {room, found};
  return found;
};
// Runs of buckets that agree in this field and in all in front of it.
const runsOf = (heat, field) => {
  heat.runs ??= [];
  return heat.runs[field] ??= heat.labels.reduce((runs, label, at) => {
    const before = heat.labels[at - 1];
    if (!before || label.slice(0, field + 1).join("\0") !== before.slice(0, field + 1).join("\0")) runs.push({at, text: label[field] ?? ""});
    return runs;
  }, []);
};
const drawKeyAxis = (context, heat, keys, box, columns) => {
  const place = bucket => box.top + (bucket - keys[0]) / (keys[1] - keys[0]) * box.height;
  const soft = ink("soft"), plain = ink("ink"), tints = [ink("even"), ink("odd")];
  for (const {field, left, width} of columns) {
    context.textBaseline = "alphabetic";
    context.fillStyle = soft;
    context.fillText(fitted(context, heat.fields[field], width - 6), left + 2, box.top - 5);
    const runs = runsOf(heat, field);
    const seen = runs.map(({at, text}, number) => {
      const end = runs[number + 1]?.at ?? heat.buckets;
      return {text, number, top: Math.max(place(at), box.top), bottom: Math.min(place(end), box.top + box.height)};
    }).filter(({top, bottom}) => bottom > top);
    for (const {number, top, bottom} of seen) {
      context.fillStyle = tints[number % 2];
      context.fillRect(left, top, width - 2, Math.max(bottom - top - (bottom - top > 3 ? 1 : 0), .5));
    }
    context.textBaseline = "middle";
    let free = box.top - 1;
    for (const {text, top, bottom} of seen) {
      const middle = (top + bottom) / 2, y = Math.min(Math.max(middle, box.top + ROW / 2), box.top + box.height - ROW / 2);
      if (!text || y - ROW / 2 < free) continue;
      context.fillStyle = plain;
      context.fillText(fitted(context, text, width - 8), left + 4, y);
      free = y + ROW / 2;
    }
  }
};
