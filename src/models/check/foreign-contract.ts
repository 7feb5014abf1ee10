import { basename } from 'node:path';
import type { Adapter } from '../manifest/adapter.js';
import { variantOf, type Precision } from '../compose/compose-stage.js';
import type { StageRef } from '../manifest/model-route.js';
import { type ModelHead, type ModelValue, readModelHead, valueText } from '../onnx/model-head.js';
import { InvalidVersion } from '../repository/read-version.js';

/**
 * Compares the declarations of a foreign file with its adapter before anything runs, because a message about names and
 * shapes helps more than the runtime's error.
 * @throws InvalidVersion; MalformedModel
 */
export async function checkContract(stage: StageRef, precision: Precision): Promise<void> {
  const { path, adapter } = variantOf(stage, precision);
  const head = await readModelHead(path);
  const name = basename(path);
  if (adapter === undefined) checkOwn(stage, head, name);
  else checkAdapted(adapter, head, name);
}

/** Checks the service's own contract: type and rank of the input `image`, and the single output of a render graph. */
function checkOwn(stage: StageRef, { inputs, outputs }: ModelHead, file: string): void {
  const image = inputs.find(({ name }) => name === 'image');
  const needed = stage.kind === 'render' ? 'uint8 [N,H,W,3 or 4]' : `uint8 [N,${stage.size},${stage.size},3]`;
  if (image === undefined || image.type !== 'uint8' || (image.dims !== null && image.dims.length !== 4)) {
    throw new InvalidVersion(
      `the graph ${file} takes ${inputs.map(valueText).join(' and ') || 'nothing'}, not the input image ${needed}; describe its input and output in the manifest, or choose a model that takes and gives pixels`,
    );
  }
  if (stage.kind === 'render' && outputs.length !== 1) {
    throw new InvalidVersion(
      `the graph ${file} gives ${outputs.map(valueText).join(' and ')}, but a render graph has one output; remove the others`,
    );
  }
}

function checkAdapted({ input, output }: Adapter, head: ModelHead, file: string): void {
  const found = head.inputs.find(({ name }) => name === input.name);
  if (found === undefined) throw missing(file, 'input', input.name, head.inputs);
  const others = head.inputs.filter(({ name }) => name !== input.name);
  if (others.length > 0) {
    throw new InvalidVersion(
      `the graph ${file} also needs ${others.map(valueText).join(' and ')}, which nothing provides; export it with these as constants`,
    );
  }
  const made = head.outputs.find(({ name }) => name === output.name);
  if (made === undefined) throw missing(file, 'output', output.name, head.outputs);
  checkType(file, 'input', found, input.dtype);
  checkType(file, 'output', made, output.dtype);
  checkRank(file, 'input', found, 4, input.layout);
  checkRank(file, 'output', made, output.layout === 'NHW' ? 3 : 4, output.layout);
  checkChannels(file, 'input', found, input.layout, input.channels === 'Y' ? 1 : 3);
  if (output.channels !== undefined)
    checkChannels(file, 'output', made, output.layout, output.channels === 'Y' ? 1 : 3);
  checkSize(file, found, input);
}

function missing(file: string, what: string, name: string, values: readonly ModelValue[]): InvalidVersion {
  return new InvalidVersion(
    `the graph ${file} has no ${what} ${name}, it has ${values.map(valueText).join(' and ')}; correct ${what}.name`,
  );
}

function checkType(file: string, what: string, value: ModelValue, dtype: string): void {
  if (value.type === dtype) return;
  throw new InvalidVersion(
    `the ${what} ${valueText(value)} of ${file} is ${value.type}, the manifest says ${dtype}; correct ${what}.dtype`,
  );
}

function checkRank(file: string, what: string, value: ModelValue, rank: number, layout: string): void {
  if (value.dims === null || value.dims.length === rank) return;
  throw new InvalidVersion(
    `the ${what} ${valueText(value)} of ${file} has ${value.dims.length} axes and is not an image: ${layout} has ${rank}; choose a model that takes and gives pixels`,
  );
}

function checkChannels(file: string, what: string, value: ModelValue, layout: string, wanted: number): void {
  const found = value.dims?.[layout === 'NHWC' ? 3 : 1];
  if (typeof found !== 'number' || found === wanted) return;
  throw new InvalidVersion(
    `the ${what} ${valueText(value)} of ${file} has ${found} channels in ${layout}, the manifest says ${wanted}; correct ${what}.channels or ${what}.layout`,
  );
}

function checkSize(file: string, value: ModelValue, { layout, size }: Adapter['input']): void {
  const [height, width] =
    layout === 'NCHW' ? [value.dims?.[2], value.dims?.[3]] : [value.dims?.[1], value.dims?.[2]];
  const text = `the input ${valueText(value)} of ${file}`;
  if (typeof height !== 'number' && typeof width === 'number' && width <= 4)
    throw new InvalidVersion(`${text} has a width of ${width} in ${layout}; correct input.layout`);
  if (typeof height !== 'number' || typeof width !== 'number') return;
  if (size.mode === 'fixed' && size.height === height && size.width === width) return;
  throw new InvalidVersion(
    `${text} takes ${height} × ${width} alone; say {"mode": "fixed", "height": ${height}, "width": ${width}} in input.size`,
  );
}
