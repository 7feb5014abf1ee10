import type { Manifest, StageManifest } from '../../../models/manifest/manifest.js';

/** Fields that describe how to read the files of a stage. The server has the files, so remote manifests omit these. */
const OF_FILES: ReadonlySet<string> = new Set([
  'file',
  'sha256',
  'fp16',
  'int8',
  'external',
  'input',
  'output',
  'luma',
]);

/** The name of a stage's model on the server. */
export function remoteName(operation: string, stage: string): string {
  return `${operation}.${stage}`;
}

/**
 * The manifest of the same version, with graphs that run on a server. A matte stage has no graph and stays unchanged.
 */
export function remoteManifest(manifest: Manifest, version: number): unknown {
  const stages = Object.entries(manifest.stages).map(([name, stage]) => [
    name,
    remoteStage(stage, remoteName(manifest.operation, name), version),
  ]);
  return { ...manifest, stages: Object.fromEntries(stages) as unknown };
}

function remoteStage(stage: StageManifest, model: string, version: number): unknown {
  if (stage.kind === 'matte' || stage.remote !== undefined) return stage;
  const rest = Object.entries(stage).filter(([field]) => !OF_FILES.has(field));
  return { ...Object.fromEntries(rest), remote: { engine: 'triton', model, version } };
}
