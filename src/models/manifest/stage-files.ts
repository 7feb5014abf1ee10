import type { StageManifest } from './manifest.js';

/** A file next to a manifest, and its required hash. */
export interface HashedFile {
  readonly file: string;
  /** 64 lowercase hex digits. */
  readonly sha256: string;
}

/** Every file of a stage, its graph first; a matte or remote stage has none. */
export function filesOf(stage: StageManifest): readonly HashedFile[] {
  if (stage.kind === 'matte' || stage.remote !== undefined) return [];
  const beside = { ...stage.tensorflow?.weights, ...stage.external };
  return [
    { file: stage.file, sha256: stage.sha256 },
    ...Object.entries(beside).map(([file, sha256]) => ({ file, sha256 })),
    ...[stage.fp16, stage.int8].flatMap((twin) =>
      twin === undefined ? [] : [{ file: twin.file, sha256: twin.sha256 }],
    ),
  ];
}
