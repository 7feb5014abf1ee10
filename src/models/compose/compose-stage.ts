import { dirname } from 'node:path';
import type { Adapter } from '../manifest/adapter.js';
import { readModelFile } from '../files/model-file.js';
import type { StageRef } from '../manifest/model-route.js';
import { composeAnalyse, composeProbe, composeRender } from './compose-foreign.js';
import { composeMatte } from './compose-matte.js';
import { foreignModel } from './foreign-model.js';

export type Precision = 'fp32' | 'fp16';

/** What a session is made from: a file as it is, or a graph that was composed and lies in memory. */
export type GraphSource =
  | { readonly kind: 'file'; readonly path: string }
  /** `folder`: where the files lie that hold weights outside of the graph. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly folder: string };

/**
 * The one ONNX graph that runs a stage: the file itself where it keeps to the service's contract, the adapter's
 * nodes around it where it does not, or the catalogue's own where there is no file. Composing is deterministic: the
 * same file and manifest give the same bytes, so nothing is kept on disk.
 * @param precision `fp16` takes the file in half precision where the stage has one
 * @throws Error that says why the file cannot be wrapped; the file system's error
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

/** The adapter's input and the foreign graph alone, its output untouched; null for a stage without an adapter. */
export async function probeOf(stage: StageRef, precision: Precision): Promise<GraphSource | null> {
  const { path, adapter } = variantOf(stage, precision);
  if (adapter === undefined) return null;
  const model = foreignModel(await readModelFile(path));
  const bytes = composeProbe(model, adapter, stage.kind === 'analyse' ? stage.size : null);
  return { kind: 'bytes', bytes, folder: dirname(path) };
}

/** The file of a precision with the adapter that fits it. */
export function variantOf(
  stage: StageRef,
  precision: Precision,
): { readonly path: string; readonly adapter: Adapter | undefined } {
  const { fp16, adapter } = stage;
  if (precision === 'fp32' || fp16 === undefined) return { path: stage.path, adapter };
  const { path, dtype } = fp16;
  if (adapter === undefined || dtype === undefined) return { path, adapter };
  const { input, output } = adapter;
  return { path, adapter: { ...adapter, input: { ...input, dtype }, output: { ...output, dtype } } };
}
