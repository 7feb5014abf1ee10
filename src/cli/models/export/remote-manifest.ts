import type { Manifest, StageManifest } from '../../../models/manifest/manifest.js';

/** What says how to read the files of a stage; a server has them. */
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

/** Name on the server of the model of a stage. */
export function remoteName(operation: string, stage: string): string {
  return `${operation}.${stage}`;
}

/** The manifest of the same version whose graphs run on a server. A matte stage needs none, and stays. */
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
