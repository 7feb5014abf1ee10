import { LEVELS } from '../../kernel/operations.js';
import type { LevelManifest, Manifest, StageManifest } from './manifest.js';
import { stageFaults } from './stage-check.js';
import { MANIFEST_SHAPE } from './manifest-shape.js';

export type ManifestCheck =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Checks parsed JSON against the shape of a manifest and, if it matches, the rules between its fields.
 * @param operation name of the manifest's folder, which must equal its `operation`
 */
export function checkManifest(value: unknown, operation: string): ManifestCheck {
  const shapeFaults = MANIFEST_SHAPE.faults(value, '');
  if (shapeFaults.length > 0) return { ok: false, faults: shapeFaults };
  const manifest = value as Manifest;
  const faults = [
    ...(manifest.operation === operation
      ? []
      : [`operation must be "${operation}", the name of its folder, not "${manifest.operation}"`]),
    ...Object.entries(manifest.stages).flatMap(([name, stage]) => stageFaults(manifest, name, stage)),
    ...LEVELS.flatMap((level) => levelFaults(manifest, level, manifest.levels[level])),
    ...alphaFaults(manifest),
  ];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, manifest };
}

function levelFaults(manifest: Manifest, level: string, entry: LevelManifest): string[] {
  const faults: string[] = [];
  const stageOf = (name: string): StageManifest | undefined =>
    Object.hasOwn(manifest.stages, name) ? manifest.stages[name] : undefined;
  if (entry.analyse !== undefined && stageOf(entry.analyse)?.kind !== 'analyse')
    faults.push(`levels.${level}.analyse must name a stage of kind analyse, not "${entry.analyse}"`);
  const render = stageOf(entry.render);
  if (render === undefined || render.kind === 'analyse')
    faults.push(`levels.${level}.render must name a stage of kind render or matte, not "${entry.render}"`);
  if (render?.kind === 'matte' && entry.analyse !== render.analyse)
    faults.push(
      `levels.${level}.analyse must be "${render.analyse}", whose map the stage ${entry.render} lays`,
    );
  if (render?.kind === 'render' && render.skipWhereZero !== undefined)
    faults.push(...skipFaults(level, entry, render.skipWhereZero, stageOf(entry.analyse ?? '')));
  if (render?.remote !== undefined && entry.analyse !== undefined && !isRemote(stageOf(entry.analyse)))
    faults.push(
      `levels.${level}.analyse must be a remote stage, too: the maps for the remote stage ${entry.render} are sent from there`,
    );
  return faults;
}

function skipFaults(
  level: string,
  { analyse, render }: LevelManifest,
  map: string,
  stage: StageManifest | undefined,
): string[] {
  const outputs = stage?.kind === 'analyse' ? stage.outputs : {};
  const shape = Object.hasOwn(outputs, map) ? outputs[map] : undefined;
  if (shape?.length === 3 && shape[1] === shape[2]) return [];
  return [
    `levels.${level}.analyse must name a stage with the output ${map} of shape [C, size, size], by which the stage ${render} skips tiles, not "${analyse ?? 'nothing'}"`,
  ];
}

function isRemote(stage: StageManifest | undefined): boolean {
  return stage?.remote !== undefined;
}

function alphaFaults(manifest: Manifest): string[] {
  const alphas = LEVELS.map((level) => {
    const stage = manifest.stages[manifest.levels[level].render];
    if (stage?.kind === 'matte') return 'produce';
    return stage?.kind === 'render' ? (stage.alpha ?? 'keep') : undefined;
  });
  if (new Set(alphas.filter((alpha) => alpha !== undefined)).size < 2) return [];
  return ['levels must all render with the same alpha: an operation either keeps alpha or produces it'];
}
