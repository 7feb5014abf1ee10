import type { Level } from '../kernel/operations.js';

export type EngineName = 'onnx' | 'tensorflow';

/** How a TensorFlow.js model sees pixels, and the files it is made of beside its `model.json`. */
export interface TensorflowStage {
  /** What bytes 0 and 255 become at the model's input. */
  readonly inputRange: readonly number[];
  /** What the model's output gives for bytes 0 and 255; render stages. Default: as `inputRange`. */
  readonly outputRange?: readonly number[];
  /** SHA-256 of every weight file, by name. */
  readonly weights: Readonly<Record<string, string>>;
}

interface StageManifestBase {
  /** File name in the version's folder. */
  readonly file: string;
  /** Lowercase hex SHA-256 of the file. */
  readonly sha256: string;
  /** Most items one run may take. */
  readonly maxBatch: number;
  /** How long an item may wait for company while the device is busy. */
  readonly maxDelayMs: number;
  /** Present exactly when the engine is `tensorflow`. */
  readonly tensorflow?: TensorflowStage;
}

/** A graph over the whole image, squashed to `size` × `size`. */
export interface AnalyseStageManifest extends StageManifestBase {
  readonly kind: 'analyse';
  readonly size: number;
  /** Shape of each float32 output, without the batch axis. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  /** Fail the job with `no_subject_found` when this one-number output is below the threshold. */
  readonly noSubject?: { readonly output: string; readonly below: number };
}

/** A graph over equal tiles of the full-resolution image. */
export interface RenderStageManifest extends StageManifestBase {
  readonly kind: 'render';
  /** Edge of the useful part of a tile in source pixels. */
  readonly tile: number;
  /** Source pixels around the useful part that the graph sees too. */
  readonly halo: number;
  /** Output pixels per source pixel, along each axis. */
  readonly scale: number;
  /** `keep`: as many channels out as in. `produce`: RGBA always. */
  readonly alpha?: 'keep' | 'produce';
}

export type StageManifest = AnalyseStageManifest | RenderStageManifest;

export interface LevelManifest {
  /** 0 to 1, handed to the render graph. */
  readonly strength: number;
  readonly analyse?: string;
  readonly render: string;
}

/** `models/<operation>/<version>/manifest.json`, once it has been checked. */
export interface Manifest {
  readonly name: string;
  readonly operation: string;
  readonly description: string;
  readonly engine: EngineName;
  readonly licence: string;
  readonly source: string;
  readonly trainedOn: string;
  readonly stages: Readonly<Record<string, StageManifest>>;
  readonly levels: Readonly<Record<Level, LevelManifest>>;
}
