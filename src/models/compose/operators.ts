import { ELEMENT, type ElementName } from '../onnx/fields.js';
import type { GraphWriter, Value } from './graph-writer.js';

/** Operators as needed by the graphs here, for any opset. Images are NCHW float32 unless stated otherwise. */

export const add = (g: GraphWriter, a: Value, b: Value | number): Value => g.op('Add', [a, operand(g, b)]);
export const subtract = (g: GraphWriter, a: Value, b: Value | number): Value =>
  g.op('Sub', [a, operand(g, b)]);
export const multiply = (g: GraphWriter, a: Value, b: Value | number): Value =>
  g.op('Mul', [a, operand(g, b)]);

function operand(g: GraphWriter, value: Value | number): Value {
  return typeof value === 'number' ? g.constant(value) : value;
}

export function cast(g: GraphWriter, x: Value, to: ElementName): Value {
  return g.op('Cast', [x], { to: ELEMENT[to] });
}

/** x · factor + offset; the identity adds no node. */
export function affine(
  g: GraphWriter,
  x: Value,
  factor: readonly number[],
  offset: readonly number[],
): Value {
  const perChannel = (values: readonly number[]): Value =>
    g.constant(values, 'float32', [1, values.length, 1, 1]);
  const scaled = factor.every((value) => value === 1) ? x : g.op('Mul', [x, perChannel(factor)]);
  return offset.every((value) => value === 0) ? scaled : g.op('Add', [scaled, perChannel(offset)]);
}

/** x[start:end] along one axis; `end` may be a value of shape [1] that is known only at run time. */
export function slice(g: GraphWriter, x: Value, axis: number, start: number, end: number | Value): Value {
  const to = typeof end === 'number' ? g.constant([end], 'int64') : end;
  return g.op('Slice', [x, g.constant([start], 'int64'), to, g.constant([axis], 'int64')]);
}

export function concat(g: GraphWriter, values: readonly Value[], axis: number): Value {
  return g.op('Concat', values, { axis });
}

export function transpose(g: GraphWriter, x: Value, perm: readonly number[]): Value {
  return g.op('Transpose', [x], { perm });
}

/** A part of a value's shape, int64 [to − from]. */
export function shapeOf(g: GraphWriter, x: Value, from: number, to: number): Value {
  return slice(g, g.op('Shape', [x]), 0, from, to);
}

export function unsqueeze(g: GraphWriter, x: Value, axis: number): Value {
  return g.opset < 13
    ? g.op('Unsqueeze', [x], { axes: [axis] })
    : g.op('Unsqueeze', [x, g.constant([axis], 'int64')]);
}

/** Minimum or maximum of each item [N,1,1,1]. */
export function extreme(g: GraphWriter, kind: 'ReduceMin' | 'ReduceMax', x: Value): Value {
  return g.opset < 18
    ? g.op(kind, [x], { axes: [1, 2, 3], keepdims: 1 })
    : g.op(kind, [x, g.constant([1, 2, 3], 'int64')], { keepdims: 1 });
}

/** Swaps red and blue. */
export function mirroredChannels(g: GraphWriter, x: Value): Value {
  return g.op('Gather', [x, g.constant([2, 1, 0], 'int64')], { axis: 1 });
}

/** BT.601 luma [N,1,H,W] of gamma-encoded RGB [N,3,H,W], same range. */
export function luma(g: GraphWriter, rgb: Value): Value {
  return g.op('Conv', [rgb, g.constant([0.299, 0.587, 0.114], 'float32', [1, 3, 1, 1])]);
}

/** Rounded and clipped to 0–255. */
export function toBytes(g: GraphWriter, x: Value): Value {
  const limited = g.op('Clip', [g.op('Round', [x]), g.constant(0), g.constant(255)]);
  return cast(g, limited, 'uint8');
}

/** Bilinear resize with half-pixel centers to a height and width given as int64 [2]. */
export function resizedTo(g: GraphWriter, x: Value, size: Value): Value {
  const sizes = concat(g, [shapeOf(g, x, 0, 2), size], 0);
  return g.op('Resize', [x, g.constant([], 'float32'), g.constant([], 'float32'), sizes], {
    mode: 'linear',
    coordinate_transformation_mode: 'half_pixel',
  });
}
