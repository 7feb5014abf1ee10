/** `auto` removes marks, so that the model decides. */
export type Brush = 'keep' | 'erase' | 'auto';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One stroke, from pressing to releasing, in pixels of the mask. */
export interface Stroke {
  readonly brush: Brush;
  readonly radius: number;
  readonly points: readonly Point[];
}

export interface Strokes {
  readonly done: readonly Stroke[];
  /** The most recently undone stroke is last. */
  readonly undone: readonly Stroke[];
}

export const NO_STROKES: Strokes = { done: [], undone: [] };

export type StrokesAction =
  | { readonly kind: 'add'; readonly stroke: Stroke }
  | { readonly kind: 'undo' | 'redo' | 'clear' };

export function strokesReducer({ done, undone }: Strokes, action: StrokesAction): Strokes {
  if (action.kind === 'add') return { done: [...done, action.stroke], undone: [] };
  if (action.kind === 'clear') return NO_STROKES;
  const [from, to] = action.kind === 'undo' ? [done, undone] : [undone, done];
  const last = from.at(-1);
  if (last === undefined) return { done, undone };
  const [less, more] = [from.slice(0, -1), [...to, last]];
  return action.kind === 'undo' ? { done: less, undone: more } : { done: more, undone: less };
}

/** Maximum length of the longer side of a mask. Finer strokes are not visible, and larger files take long to upload. */
const MAX_SIDE = 2_048;

/** The size of a picture's mask, with the same proportions. */
export function maskSize({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
