/** The coordinate system of a chart, which is stretched to the available space. */
export const WIDTH = 300;
export const HEIGHT = 72;
/** Margin for the width of the stroke. */
const MARGIN = 2;

export interface ChartPoint {
  readonly atMs: number;
  /** Null if no value was recorded. */
  readonly value: number | null;
}

export interface ChartPaths {
  readonly line: string;
  readonly area: string;
  /** Points without a neighbor. */
  readonly dots: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** SVG paths of a line from 0 to the maximum, with gaps where points are missing. */
export function chartPaths(points: readonly ChartPoint[], stepMs: number): ChartPaths {
  const first = points[0]?.atMs ?? 0;
  const spanMs = Math.max(1, (points.at(-1)?.atMs ?? 0) - first);
  const peak = Math.max(...points.map(({ value }) => value ?? 0));
  const place = (atMs: number, value: number): Place => ({
    x: round(points.length === 1 ? WIDTH / 2 : MARGIN + ((atMs - first) / spanMs) * (WIDTH - 2 * MARGIN)),
    y: round(HEIGHT - MARGIN - (peak === 0 ? 0 : (value / peak) * (HEIGHT - 2 * MARGIN))),
  });
  const runs: Place[][] = [];
  let lastMs = -Infinity;
  for (const { atMs, value } of points) {
    if (value === null) continue;
    if (atMs - lastMs > stepMs * 1.5) runs.push([]);
    runs.at(-1)!.push(place(atMs, value));
    lastMs = atMs;
  }
  const lines = runs.filter((run) => run.length > 1);
  const textOf = (run: readonly Place[]): string => run.map(({ x, y }) => `${x} ${y}`).join('L');
  return {
    line: lines.map((run) => `M${textOf(run)}`).join(''),
    area: lines.map((run) => `M${run[0]!.x} ${HEIGHT}L${textOf(run)}L${run.at(-1)!.x} ${HEIGHT}Z`).join(''),
    dots: runs
      .filter((run) => run.length === 1)
      .map(([at]) => `M${at!.x} ${at!.y}h0.1`)
      .join(''),
  };
}
