/** A stroke between two points. Letters have a height of 1, and y points down. */
type Stroke = readonly [fromX: number, fromY: number, toX: number, toY: number];

const THIN = 0.085;
/** Width of the word and half the thickness of its strokes, in letter heights. */
export const WORD = { width: 3.44, halfStroke: THIN } as const;

/** The word TEST as strokes, so that no font is needed. */
const STROKES: readonly Stroke[] = [...letterT(0), ...letterE(0.98), ...letterS(1.86), ...letterT(2.74)];

/**
 * Distance of a point to the strokes of the word, in letter heights.
 * @param x from 0 to `WORD.width`
 * @param y from 0 (top) to 1 (baseline)
 */
export function distanceToWord(x: number, y: number): number {
  let nearest = Infinity;
  for (const stroke of STROKES) nearest = Math.min(nearest, squaredDistance(stroke, x, y));
  return Math.sqrt(nearest);
}

function squaredDistance([fromX, fromY, toX, toY]: Stroke, x: number, y: number): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const share = ((x - fromX) * alongX + (y - fromY) * alongY) / (alongX ** 2 + alongY ** 2);
  const clamped = Math.min(1, Math.max(0, share));
  return (x - fromX - clamped * alongX) ** 2 + (y - fromY - clamped * alongY) ** 2;
}

function letterT(x: number): Stroke[] {
  return [
    [x, 0, x + 0.7, 0],
    [x + 0.35, 0, x + 0.35, 1],
  ];
}

function letterE(x: number): Stroke[] {
  return [
    [x, 0, x, 1],
    [x, 0, x + 0.56, 0],
    [x, 0.5, x + 0.48, 0.5],
    [x, 1, x + 0.56, 1],
  ];
}

/** Two arcs that meet in the middle. */
function letterS(x: number): Stroke[] {
  return [...arc(x + 0.3, 0.25, -30, -270), ...arc(x + 0.3, 0.75, -90, 150)];
}

function arc(centerX: number, centerY: number, fromDegrees: number, toDegrees: number): Stroke[] {
  const parts = 10;
  const pointAt = (index: number): readonly [number, number] => {
    const angle = ((fromDegrees + ((toDegrees - fromDegrees) * index) / parts) * Math.PI) / 180;
    return [centerX + 0.3 * Math.cos(angle), centerY + 0.25 * Math.sin(angle)];
  };
  return Array.from({ length: parts }, (_, index) => [...pointAt(index), ...pointAt(index + 1)] as const);
}
