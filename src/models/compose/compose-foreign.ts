import type { Adapter, InputAdapter } from '../manifest/adapter.js';
import { foreignName } from '../onnx/prefix-names.js';
import { enlarge } from './enlarge.js';
import { feedForeign, giveForeign } from './foreign-input.js';
import type { ForeignModel } from './foreign-model.js';
import { differenceOf, foreignResult, imageOf, isMap, mapOf } from './foreign-output.js';
import { GraphWriter, type Value } from './graph-writer.js';
import { add, cast, multiply, resizedTo, subtract, toBytes } from './operators.js';
import { closeCutout, closeTile, openTile, openWhole, type TilePixels } from './pixels.js';

/** Name of the only output of a probe graph. */
export const PROBE = 'raw';

/**
 * A render graph around a foreign model: uint8 [N,H,W,3|4] in, uint8 [N,H·scale,W·scale,…] out. Alpha is enlarged and
 * passed through. For a luminance-only model, so is chroma.
 */
export function composeRender(model: ForeignModel, adapter: Adapter, scale: number): Uint8Array {
  const g = new GraphWriter(model.head.opset);
  const tile = openTile(g);
  const fitted = feedForeign(g, tile.rgb, adapter);
  g.include(model.body);
  const made = fitted.restore(g, foreignResult(g, adapter.output), scale);
  if (isMap(adapter.output)) closeCutout(g, tile, mapOf(g, made, adapter.output));
  else closeImage(g, tile, made, adapter, scale);
  return g.model(model.irVersion, model.extra);
}

function closeImage(g: GraphWriter, tile: TilePixels, made: Value, adapter: Adapter, scale: number): void {
  const { base = 'bicubic', strength } = adapter.output;
  const enlarged = (planes: Value): Value => enlarge(g, planes, scale, base);
  const isResidual = adapter.output.meaning === 'residual';
  const large = isResidual || strength === 'blend' ? enlarged(tile.rgb) : null;
  const rgb = isResidual
    ? add(g, large!, differenceOf(g, made, adapter))
    : imageOf(g, made, adapter, tile.rgb, enlarged);
  const result = strength === 'blend' ? blended(g, large!, rgb) : rgb;
  const alpha =
    scale === 1 ? tile.alpha : toBytes(g, enlarge(g, cast(g, tile.alpha, 'float32'), scale, base));
  closeTile(g, tile, result, alpha);
}

/** source + strength · (result − source), with the job's strength for each item. */
function blended(g: GraphWriter, source: Value, result: Value): Value {
  const strength = g.input('strength', 'float32', ['N']);
  const each = g.op('Reshape', [strength, g.constant([-1, 1, 1, 1], 'int64')]);
  const limited = g.op('Clip', [result, g.constant(0), g.constant(255)]);
  return add(g, source, multiply(g, subtract(g, limited, source), each));
}

/** An analyse graph around a foreign model: uint8 [N,size,size,3] in, one map float32 [N,1,size,size], 0–1, out. */
export function composeAnalyse(model: ForeignModel, adapter: Adapter, size: number, map: string): Uint8Array {
  const g = new GraphWriter(model.head.opset);
  const fitted = feedForeign(g, openWhole(g, size), adapter);
  g.include(model.body);
  const plane = fitted.restore(g, foreignResult(g, adapter.output), 1);
  const whole = resizedTo(g, plane, g.constant([size, size], 'int64'));
  g.output(mapOf(g, whole, adapter.output), map, 'float32', ['N', 1, size, size]);
  return g.model(model.irVersion, model.extra);
}

/**
 * The foreign model with its input prepared and its output unchanged: float32 of its own shape. Its actual output is
 * checked before the whole graph runs, so that a refusal can explain what is wrong.
 * @param size width and height of a whole image; null for tiles
 */
export function composeProbe(model: ForeignModel, adapter: Adapter, size: number | null): Uint8Array {
  const g = new GraphWriter(model.head.opset);
  const rgb = size === null ? openTile(g).rgb : openWhole(g, size);
  feedForeign(g, rgb, adapter);
  g.include(model.body);
  const raw = cast(g, { name: foreignName(adapter.output.name) }, 'float32');
  g.output(raw, PROBE, 'float32', null);
  return g.model(model.irVersion, model.extra);
}

/** Name of the only input of a bare graph. */
export const PIXELS = 'pixels';

/**
 * The foreign model with normalized pixels as input, so that one session can try every normalization: `pixels` float32
 * [N,C,H,W] in, float32 of the model's own shape out.
 */
export function composeBare(
  model: ForeignModel,
  input: Pick<InputAdapter, 'name' | 'layout' | 'dtype'>,
  output: string,
): Uint8Array {
  const g = new GraphWriter(model.head.opset);
  giveForeign(g, g.input(PIXELS, 'float32', ['N', 'C', 'H', 'W']), input);
  g.include(model.body);
  g.output(cast(g, { name: foreignName(output) }, 'float32'), PROBE, 'float32', null);
  return g.model(model.irVersion, model.extra);
}
