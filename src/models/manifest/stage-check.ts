import { adapterFaults } from './adapter-check.js';
import type { Adapter } from './adapter.js';
import type {
  FileStageManifest,
  Manifest,
  MatteStageManifest,
  RemoteStageManifest,
  StageManifest,
} from './manifest.js';

/** Rules between the fields of one stage; each error is "path must …". */
export function stageFaults(manifest: Manifest, name: string, stage: StageManifest): readonly string[] {
  const path = `stages.${name}`;
  if (stage.kind === 'matte') return matteFaults(manifest, path, stage);
  if (stage.kind === 'render' && stage.skipWhereZero !== undefined && stage.scale !== 1)
    return [`${path}.skipWhereZero must be removed: the scale is ${stage.scale}, not 1`];
  if (stage.remote !== undefined) return noSubjectFaults(path, stage);
  return [
    ...noSubjectFaults(path, stage),
    ...engineFaults(manifest, path, stage),
    ...foreignFaults(path, stage),
  ];
}

/** The adapter of a stage; null when its graph follows the service's own contract. */
export function adapterOf({ input, output, luma }: FileStageManifest): Adapter | null {
  if (input === undefined || output === undefined) return null;
  return { input, output, ...(luma && { luma }) };
}

function matteFaults({ stages }: Manifest, path: string, { analyse, map }: MatteStageManifest): string[] {
  const stage = Object.hasOwn(stages, analyse) ? stages[analyse] : undefined;
  if (stage?.kind !== 'analyse')
    return [`${path}.analyse must name a stage of kind analyse, not "${analyse}"`];
  const shape = Object.hasOwn(stage.outputs, map) ? stage.outputs[map] : undefined;
  if (shape?.length === 3 && shape[0] === 1 && shape[1] === shape[2]) return [];
  return [`${path}.map must name an output of shape [1, size, size] of ${analyse}, not "${map}"`];
}

function noSubjectFaults(path: string, stage: FileStageManifest | RemoteStageManifest): string[] {
  if (stage.kind !== 'analyse' || stage.noSubject === undefined) return [];
  const shape = stage.outputs[stage.noSubject.output];
  if (shape?.length === 1 && shape[0] === 1) return [];
  return [`${path}.noSubject.output must name an output of shape [1], not "${stage.noSubject.output}"`];
}

function engineFaults({ engine }: Manifest, path: string, stage: FileStageManifest): string[] {
  const { tensorflow } = stage;
  if (engine === 'tensorflow' && tensorflow === undefined)
    return [`${path}.tensorflow must be given with the engine tensorflow`];
  if (engine !== 'tensorflow' && tensorflow !== undefined)
    return [`${path}.tensorflow must be removed: the engine is ${engine}`];
  const onnxOnly = (['fp16', 'int8', 'external', 'input', 'output', 'luma'] as const).filter(
    (field) => engine === 'tensorflow' && stage[field] !== undefined,
  );
  return [
    ...onnxOnly.map((field) => `${path}.${field} must be removed: the engine is ${engine}`),
    ...(['inputRange', 'outputRange'] as const).flatMap((field) => {
      const range = tensorflow?.[field];
      if (range === undefined || (range.length === 2 && range[0]! < range[1]!)) return [];
      return [`${path}.tensorflow.${field} must be two numbers, the smaller first`];
    }),
  ];
}

function foreignFaults(path: string, stage: FileStageManifest): readonly string[] {
  if ((stage.input === undefined) !== (stage.output === undefined)) {
    const missing = stage.input === undefined ? 'input' : 'output';
    return [`${path}.${missing} must be given: an adapter has an input and an output`];
  }
  const adapter = adapterOf(stage);
  if (adapter === null)
    return stage.luma === undefined ? [] : [`${path}.luma must come with input and output`];
  const producesAlpha = stage.kind === 'render' && stage.alpha === 'produce';
  const [edge, scale] =
    stage.kind === 'analyse' ? [stage.size, 1] : [stage.tile + 2 * stage.halo, stage.scale];
  return [
    ...adapterFaults(path, adapter, { kind: stage.kind, edge, scale, producesAlpha }),
    ...(stage.kind === 'analyse' ? mapFaults(path, stage.outputs, stage.size) : []),
  ];
}

function mapFaults(
  path: string,
  outputs: Readonly<Record<string, readonly number[]>>,
  size: number,
): string[] {
  const [shape, ...more] = Object.values(outputs);
  if (more.length === 0 && shape !== undefined && shape.join() === [1, size, size].join()) return [];
  return [`${path}.outputs must be one map of shape [1, ${size}, ${size}], which the adapter makes`];
}
