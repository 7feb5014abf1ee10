const WIDTH = 1_120;
const LABELS = 240;
const RIGHT = 90;
const ROW = 24;
const TOP = 74;
const BOTTOM = 20;
const COLORS = { 'ies-api': '#2563a8', 'ies-worker': '#2f7d4f', 'ies-dispatcher': '#a8562a' };
const TICKS = 8;

/** Statements and batches are drawn into the row of their parent span. */
const isDetail = ({ name }) => name.startsWith('sql ') || name.startsWith('batch ');

/**
 * A trace as a waterfall chart in SVG: a row for each span, colored by its role.
 * @param {readonly { service: string, spanId: string, parentSpanId?: string, name: string, startMs: number, endMs:
 *   number }[]} spans
 */
export function tracePicture(spans, title) {
  const rows = ordered(spans.filter((span) => !isDetail(span)));
  const startMs = Math.min(...spans.map((span) => span.startMs));
  const lengthMs = Math.max(...spans.map((span) => span.endMs)) - startMs;
  const x = (ms) => LABELS + ((ms - startMs) / lengthMs) * (WIDTH - LABELS - RIGHT);
  const height = TOP + rows.length * ROW + BOTTOM;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600" fill="#1c1c1c">${escaped(title)}</text>`,
    ...legend(),
    ...axis(lengthMs, (ms) => x(startMs + ms), height),
    ...rows.flatMap(({ span, depth }, index) => row(span, depth, TOP + index * ROW, x, spans)),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

/** Parents before their children, in chronological order. */
function ordered(spans) {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parent, depth) =>
    spans
      .filter(({ parentSpanId }) => (ids.has(parentSpanId) ? parentSpanId : undefined) === parent)
      .toSorted((a, b) => a.startMs - b.startMs)
      .flatMap((span) => [{ span, depth }].concat(below(span.spanId, depth + 1)));
  return below(undefined, 0);
}

function row(span, depth, y, x, spans) {
  const color = COLORS[span.service];
  const details = spans.filter((other) => isDetail(other) && other.parentSpanId === span.spanId);
  return [
    `<text x="${16 + depth * 16}" y="${y + 16}" fill="#1c1c1c">${escaped(span.name)}</text>`,
    bar(x(span.startMs), y + 5, x(span.endMs), 14, color, 0.85),
    ...details.map(({ name, startMs, endMs }) =>
      bar(x(startMs), y + 8, x(endMs), 8, name.startsWith('sql ') ? '#ffd966' : '#d7f0df', 0.8, '#2f7d4f'),
    ),
    `<text x="${(x(span.endMs) + 6).toFixed(1)}" y="${y + 16}" fill="#555555">${duration(span.endMs - span.startMs)}</text>`,
  ];
}

function bar(fromX, y, toX, height, color, opacity, edge = 'none') {
  const width = Math.max(1, toX - fromX);
  return `<rect x="${fromX.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}" rx="1.5" fill="${color}" fill-opacity="${opacity}" stroke="${edge}" stroke-width="0.4"/>`;
}

function legend() {
  const entries = [
    ...Object.entries(COLORS),
    ['SQL statement', '#ffd966'],
    ['batch on the device', '#d7f0df'],
  ];
  return entries.flatMap(([name, color], index) => [
    `<rect x="${16 + index * 150}" y="38" width="12" height="12" rx="2" fill="${color}" stroke="#777777" stroke-width="0.5"/>`,
    `<text x="${34 + index * 150}" y="48" fill="#333333">${name}</text>`,
  ]);
}

function axis(lengthMs, x, height) {
  const steps = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1_000, 10_000].map((power) => digit * power));
  const stepMs = steps.toSorted((a, b) => a - b).find((step) => lengthMs / step <= TICKS) ?? lengthMs;
  const marks = Array.from({ length: Math.floor(lengthMs / stepMs) + 1 }, (_, index) => index * stepMs);
  return marks.flatMap((ms) => [
    `<line x1="${x(ms).toFixed(1)}" y1="${TOP - 4}" x2="${x(ms).toFixed(1)}" y2="${height - BOTTOM}" stroke="#e2e2e2"/>`,
    `<text x="${x(ms).toFixed(1)}" y="${TOP - 8}" text-anchor="middle" fill="#777777" font-size="11">${duration(ms)}</text>`,
  ]);
}

function duration(ms) {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  return `${ms < 10 && ms > 0 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
