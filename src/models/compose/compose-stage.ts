import { dirname } from 'node:path';
import type { Adapter } from '../manifest/adapter.js';
import { readModelFile } from '../files/model-file.js';
import type { StageRef } from '../manifest/model-route.js';
import { composeAnalyse, composeProbe, composeRender } from './compose-foreign.js';
import { composeMatte } from './compose-matte.js';
import { type ForeignModel, foreignModel } from './foreign-model.js';

/** Selects the file of a stage to run. */
export type Precision = 'fp32' | 'fp16' | 'int8';

/** The source of a session: a file, or a composed graph in memory. */
export type GraphSource =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      /** Contains the files with external weights. */
      readonly folder: string;
      /** Optimizing the graph would take longer than it saves in the few runs that are planned. Default: false. */
      readonly isUnoptimized?: boolean;
    };

/** The runtime's optimizations take a time that grows with the square of the number of nodes. */
const MANY_NODES = 2_000;

/** A graph that is run a few times only, in order to learn about the model. */
export function probeSource(bytes: Uint8Array, folder: string, { head }: ForeignModel): GraphSource {
  return { kind: 'bytes', bytes, folder, isUnoptimized: head.nodes > MANY_NODES };
}

/**
 * The single ONNX graph that runs a stage: the file itself if it follows the service's contract, the adapter's nodes
 * around it if it does not, or a generated graph if there is no file. Composing is deterministic: the same file and
 * manifest produce the same bytes, so nothing is stored on disk.
 * @param precision `fp16` and `int8` use the file of that precision where a stage has one
 * @throws Error with why the file cannot be wrapped; the file system's error
 */
export async function graphOf(stage: StageRef, precision: Precision): Promise<GraphSource> {
  const { path, adapter } = variantOf(stage, precision);
  if (stage.kind === 'render' && stage.matte !== undefined)
    return { kind: 'bytes', bytes: composeMatte(stage.matte.map, stage.matte.size), folder: stage.path };
  if (adapter === undefined) return { kind: 'file', path };
  const model = foreignModel(await readModelFile(path));
  const bytes =
    stage.kind === 'render'
      ? composeRender(model, adapter, stage.scale)
      : composeAnalyse(model, adapter, stage.size, Object.keys(stage.outputs)[0]!);
  return { kind: 'bytes', bytes, folder: dirname(path) };
}

/** The adapter's input and the foreign graph, with its output unchanged; null for a stage without an adapter. */
export async function probeOf(stage: StageRef, precision: Precision): Promise<GraphSource | null> {
  const { path, adapter } = variantOf(stage, precision);
  if (adapter === undefined) return null;
  const model = foreignModel(await readModelFile(path));
  const bytes = composeProbe(model, adapter, stage.kind === 'analyse' ? stage.size : null);
  return probeSource(bytes, dirname(path), model);
}

/** The file of a precision and the matching adapter. */
export function variantOf(
  stage: StageRef,
  precision: Precision,
): { readonly path: string; readonly adapter: Adapter | undefined } {
  const { fp16, int8, adapter } = stage;
  if (precision === 'int8' && int8 !== undefined) return { path: int8.path, adapter };
  if (precision !== 'fp16' || fp16 === undefined) return { path: stage.path, adapter };
  const { path, dtype } = fp16;
  if (adapter === undefined || dtype === undefined) return { path, adapter };
  const { input, output } = adapter;
  return { path, adapter: { ...adapter, input: { ...input, dtype }, output: { ...output, dtype } } };
}
