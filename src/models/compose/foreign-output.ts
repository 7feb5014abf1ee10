import type { Activation, Adapter, OutputAdapter } from '../manifest/adapter.js';
import { foreignName } from '../onnx/prefix-names.js';
import { STUDIO } from './foreign-input.js';
import type { GraphWriter, Value } from './graph-writer.js';
import {
  add,
  affine,
  cast,
  extreme,
  luma,
  mirroredChannels,
  multiply,
  slice,
  subtract,
  transpose,
  unsqueeze,
} from './operators.js';

/** The foreign graph's output as float32 [N,C,H',W'] in its own units, after the activation. */
export function foreignResult(g: GraphWriter, output: OutputAdapter): Value {
  const raw = cast(g, { name: foreignName(output.name) }, 'float32');
  const planes = channelsFirst(g, raw, output.layout);
  const activated = activate(
    g,
    planes,
    output.activation ?? (output.meaning === 'logits' ? 'sigmoid' : 'none'),
  );
  if (!isMap(output)) return activated;
  const channel = output.channel ?? 0;
  return slice(g, activated, 1, channel, channel + 1);
}

/** Whether the output is a single alpha plane. */
export function isMap({ meaning }: OutputAdapter): boolean {
  return meaning === 'alpha' || meaning === 'logits';
}

function channelsFirst(g: GraphWriter, x: Value, layout: OutputAdapter['layout']): Value {
  if (layout === 'NHW') return unsqueeze(g, x, 1);
  return layout === 'NHWC' ? transpose(g, x, [0, 3, 1, 2]) : x;
}

function activate(g: GraphWriter, x: Value, activation: Activation): Value {
  if (activation === 'sigmoid') return g.op('Sigmoid', [x]);
  if (activation === 'tanh') return g.op('Tanh', [x]);
  // With channels last, Softmax has the same meaning in every opset.
  if (activation === 'softmax')
    return transpose(g, g.op('Softmax', [transpose(g, x, [0, 2, 3, 1])], { axis: 3 }), [0, 3, 1, 2]);
  return activation === 'minmax' ? stretched(g, x) : x;
}

function stretched(g: GraphWriter, x: Value): Value {
  const least = extreme(g, 'ReduceMin', x);
  const distance = subtract(g, extreme(g, 'ReduceMax', x), least);
  return g.op('Div', [subtract(g, x, least), g.op('Max', [distance, g.constant(1e-6)])]);
}

/**
 * Converts a map from its own units to 0–1, clipped. A softmax, sigmoid, or min-max is already 0–1, regardless of
 * `range`.
 */
export function mapOf(g: GraphWriter, plane: Value, { range: [low, high] }: OutputAdapter): Value {
  const scaled = affine(g, plane, [1 / (high - low)], [-low / (high - low)]);
  return g.op('Clip', [scaled, g.constant(0), g.constant(1)]);
}

/**
 * Converts an image from its own units to RGB 0–255, not clipped. RGB is chroma plus (1,1,1) · luma, so a luminance
 * model's result is added to the source's enlarged chroma.
 * @param source float32 [N,3,H,W], 0–255 @param enlarged enlarges it to the size of the result
 */
export function imageOf(
  g: GraphWriter,
  planes: Value,
  { output, luma: scale }: Adapter,
  source: Value,
  enlarged: (planes: Value) => Value,
): Value {
  const [low, high] = output.range;
  const factor = 255 / (high - low);
  if (output.channels !== 'Y') return affine(g, ordered(g, planes, output), [factor], [-low * factor]);
  const [stretch, base] = scale === 'studio' ? [1 / STUDIO.factor, STUDIO.offset] : [1, 0];
  const light = affine(g, planes, [factor * stretch], [(-low * factor - base) * stretch]);
  return add(g, enlarged(subtract(g, source, luma(g, source))), light);
}

/**
 * Converts a residual from its own units to a difference of RGB 0–255 (or of luma, which adds to each channel alike).
 */
export function differenceOf(g: GraphWriter, planes: Value, { output, luma: scale }: Adapter): Value {
  const [low, high] = output.range;
  const difference = affine(g, ordered(g, planes, output), [255 / (high - low)], [0]);
  const isStudio = output.channels === 'Y' && scale === 'studio';
  return isStudio ? multiply(g, difference, 1 / STUDIO.factor) : difference;
}

function ordered(g: GraphWriter, planes: Value, { channels }: OutputAdapter): Value {
  return channels === 'BGR' ? mirroredChannels(g, planes) : planes;
}
