import type { StageRef } from '../../../models/manifest/model-route.js';
import { shapeText } from '../../tensor.js';

/** One input or output as the server describes it; -1 is a dynamic axis. */
export interface TensorMetadata {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
}

/** `GET /v2/models/<name>/versions/<version>`. */
export interface ModelMetadata {
  readonly inputs: readonly TensorMetadata[];
  readonly outputs: readonly TensorMetadata[];
}

const IMAGE_AXES = 4;

/**
 * Compares the server's model metadata with the manifest: types and shapes. Names are compared when a graph is loaded.
 * @param maxBatchSize from the server's configuration; undefined when the server does not report it
 * @throws Error with what differs and what to do
 */
export function checkMetadata(
  stage: StageRef,
  { inputs, outputs }: ModelMetadata,
  maxBatchSize: number | undefined,
): void {
  const edge = stage.kind === 'analyse' ? stage.size : stage.tile + 2 * stage.halo;
  for (const input of inputs) {
    if (input.name === 'image') expectTensor(input, 'UINT8', [-1, edge, edge, channelsOf(stage)], 'input');
    else if (input.datatype !== 'FP32') throw differs(input, 'input', 'FP32');
  }
  if (stage.kind === 'analyse') checkMaps(stage.outputs, outputs);
  else
    for (const output of outputs) if (output.datatype !== 'UINT8') throw differs(output, 'output', 'UINT8');
  if (maxBatchSize !== undefined && maxBatchSize > 0 && maxBatchSize < stage.maxBatch)
    throw new Error(
      `the server takes batches of at most ${maxBatchSize}, the manifest says maxBatch ${stage.maxBatch}; raise max_batch_size or lower maxBatch`,
    );
}

/** Whether the server expects scalars as [N,1], because it has no inputs of shape [N]. */
export function wantsColumn({ shape }: TensorMetadata): boolean {
  return shape.length === 2 && shape[1] === 1;
}

/** A render stage gets RGB and RGBA, so its channel axis must be dynamic. */
function channelsOf({ kind }: StageRef): number {
  return kind === 'analyse' ? 3 : -1;
}

function checkMaps(
  maps: Readonly<Record<string, readonly number[]>>,
  outputs: readonly TensorMetadata[],
): void {
  for (const [name, dims] of Object.entries(maps)) {
    const output = outputs.find((one) => one.name === name);
    if (output === undefined)
      throw new Error(`the server's model has no output ${name}, which the manifest names`);
    expectTensor(output, 'FP32', [-1, ...dims], 'output');
  }
}

/** A dynamic axis of the server accepts any size; a required dynamic axis must be dynamic. */
function expectTensor(
  found: TensorMetadata,
  datatype: string,
  dims: readonly number[],
  what: 'input' | 'output',
): void {
  const fits =
    found.shape.length === dims.length &&
    found.shape.every((size, axis) => size === -1 || size === dims[axis]);
  if (found.datatype === datatype && fits) return;
  throw differs(found, what, shapeText(datatype, dims));
}

function differs({ name, datatype, shape }: TensorMetadata, what: string, wanted: string): Error {
  const rank = name === 'image' && shape.length === IMAGE_AXES - 1 ? ' (is max_batch_size 0?)' : '';
  return new Error(
    `the ${what} ${name} of the server's model is ${shapeText(datatype, shape)}${rank}, by the manifest it must be ${wanted}`,
  );
}
