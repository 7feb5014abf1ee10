import { LEVELS } from '../kernel/operations.js';
import type { LevelManifest, Manifest, StageManifest } from './manifest.js';
import { MANIFEST_SHAPE } from './manifest-shape.js';

export type ManifestCheck =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Checks parsed JSON against the shape of a manifest and, once that holds, the rules between its fields.
 * @param operation name of the folder the manifest lies in, which must be its `operation`
 */
export function checkManifest(value: unknown, operation: string): ManifestCheck {
  const shapeFaults = MANIFEST_SHAPE.faults(value, '');
  if (shapeFaults.length > 0) return { ok: false, faults: shapeFaults };
  const manifest = value as Manifest;
  const faults = [
    ...(manifest.operation === operation
      ? []
      : [`operation must be "${operation}", the name of its folder, not "${manifest.operation}"`]),
    ...Object.entries(manifest.stages).flatMap(([name, stage]) => noSubjectFaults(name, stage)),
    ...Object.entries(manifest.stages).flatMap(([name, stage]) => engineFaults(manifest, name, stage)),
    ...LEVELS.flatMap((level) => levelFaults(manifest, level, manifest.levels[level])),
    ...alphaFaults(manifest),
  ];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, manifest };
}

function noSubjectFaults(name: string, stage: StageManifest): string[] {
  if (stage.kind !== 'analyse' || stage.noSubject === undefined) return [];
  const shape = stage.outputs[stage.noSubject.output];
  if (shape?.length === 1 && shape[0] === 1) return [];
  return [
    `stages.${name}.noSubject.output must name an output of shape [1], not "${stage.noSubject.output}"`,
  ];
}

function engineFaults({ engine }: Manifest, name: string, { tensorflow }: StageManifest): string[] {
  if (engine === 'tensorflow' && tensorflow === undefined)
    return [`stages.${name}.tensorflow must be given with the engine tensorflow`];
  if (engine !== 'tensorflow' && tensorflow !== undefined)
    return [`stages.${name}.tensorflow must be removed: the engine is ${engine}`];
  return ['inputRange', 'outputRange'].flatMap((field) => {
    const range = tensorflow?.[field as 'inputRange'];
    if (range === undefined || (range.length === 2 && range[0]! < range[1]!)) return [];
    return [`stages.${name}.tensorflow.${field} must be two numbers, the smaller first`];
  });
}

function levelFaults(manifest: Manifest, level: string, entry: LevelManifest): string[] {
  const faults: string[] = [];
  for (const kind of ['analyse', 'render'] as const) {
    const name = entry[kind];
    if (name === undefined || manifest.stages[name]?.kind === kind) continue;
    faults.push(`levels.${level}.${kind} must name a stage of kind ${kind}, not "${name}"`);
  }
  return faults;
}

function alphaFaults(manifest: Manifest): string[] {
  const alphas = LEVELS.map((level) => {
    const stage = manifest.stages[manifest.levels[level].render];
    return stage?.kind === 'render' ? (stage.alpha ?? 'keep') : undefined;
  });
  if (new Set(alphas.filter((alpha) => alpha !== undefined)).size < 2) return [];
  return ['levels must all render with the same alpha: an operation either keeps alpha or produces it'];
}
