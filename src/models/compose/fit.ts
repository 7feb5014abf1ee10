import type { InputAdapter, SizeRule } from '../manifest/adapter.js';
import type { GraphWriter, Value } from './graph-writer.js';
import { concat, resizedTo, shapeOf, slice } from './operators.js';

/** A tensor resized for a graph, and the inverse. */
export interface Fitted {
  readonly value: Value;
  /** Resizes the graph's result, which is `scale` times as large, back to the size of the tensor. */
  restore(g: GraphWriter, made: Value, scale: number): Value;
}

/** Resizes float32 [N,C,H,W] to the H and W that the adapter's size rule requires. */
export function fit(g: GraphWriter, x: Value, { size, resize }: InputAdapter): Fitted {
  if (size.mode === 'any') return { value: x, restore: (_, made) => made };
  const wanted = wantedSize(g, x, size);
  const original = shapeOf(g, x, 2, 4);
  return resize === 'stretch'
    ? {
        value: resizedTo(g, x, wanted),
        restore: (w, made, scale) => resizedTo(w, made, times(w, original, scale)),
      }
    : {
        value: padded(g, x, original, wanted),
        restore: (w, made, scale) => cropped(w, made, times(w, original, scale)),
      };
}

function wantedSize(g: GraphWriter, x: Value, size: Exclude<SizeRule, { mode: 'any' }>): Value {
  if (size.mode === 'fixed') return g.constant([size.height, size.width], 'int64');
  const step = g.constant([size.of], 'int64');
  const raised = g.op('Add', [shapeOf(g, x, 2, 4), g.constant([size.of - 1], 'int64')]);
  return g.op('Mul', [g.op('Div', [raised, step]), step]);
}

/** Extends the tensor at the bottom and right border, or crops it there when it is too large. */
function padded(g: GraphWriter, x: Value, original: Value, wanted: Value): Value {
  const missing = g.op('Sub', [wanted, original]);
  const nothing = g.constant([0, 0, 0, 0, 0, 0], 'int64');
  return g.op('Pad', [x, concat(g, [nothing, missing], 0)], { mode: 'edge' });
}

function cropped(g: GraphWriter, made: Value, size: Value): Value {
  const rows = slice(g, made, 2, 0, slice(g, size, 0, 0, 1));
  return slice(g, rows, 3, 0, slice(g, size, 0, 1, 2));
}

function times(g: GraphWriter, size: Value, scale: number): Value {
  return scale === 1 ? size : g.op('Mul', [size, g.constant([scale], 'int64')]);
}
