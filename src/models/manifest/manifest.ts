import type { Level } from '../../kernel/operations.js';
import type { InputAdapter, LumaScale, OutputAdapter } from './adapter.js';

export type EngineName = 'onnx' | 'tensorflow';

/** A model on an inference server, in place of a file. */
export interface RemoteModel {
  readonly engine: 'triton';
  /** Name of the model on the server. */
  readonly model: string;
  /** Its version on the server. */
  readonly version: number;
  /** Addresses of the replicas, separated by commas, without credentials. Default: `TRITON_URL`. */
  readonly url?: string;
}

/** How a TensorFlow.js model sees pixels, and the files it is made of beside its `model.json`. */
export interface TensorflowStage {
  /** What bytes 0 and 255 become at the model's input. */
  readonly inputRange: readonly number[];
  /** What the model's output gives for bytes 0 and 255; render stages. Default: as `inputRange`. */
  readonly outputRange?: readonly number[];
  /** SHA-256 of every weight file, by name. */
  readonly weights: Readonly<Record<string, string>>;
}

interface Batching {
  /** Most items one run may take. */
  readonly maxBatch: number;
  /** How long an item may wait for company while the device is busy. */
  readonly maxDelayMs: number;
}

interface StageManifestBase extends Batching {
  readonly remote?: undefined;
  /** File name in the version's folder. */
  readonly file: string;
  /** Lowercase hex SHA-256 of the file. */
  readonly sha256: string;
  /** Present exactly when the engine is `tensorflow`. */
  readonly tensorflow?: TensorflowStage;
  /** The same graph in half precision; `dtype` is that of its input and output, default as the adapter says. */
  readonly fp16?: {
    readonly file: string;
    readonly sha256: string;
    readonly dtype?: 'float32' | 'float16';
  };
  /** SHA-256 of every file with weights that the ONNX graph keeps outside, by name. */
  readonly external?: Readonly<Record<string, string>>;
  /** Both or neither: the graph was not made for this service and is wrapped. */
  readonly input?: InputAdapter;
  readonly output?: OutputAdapter;
  readonly luma?: LumaScale;
}

/** What a stage has in place of files when its graph runs on an inference server. */
interface RemoteStageBase extends Batching {
  readonly remote: RemoteModel;
}

interface AnalyseFields {
  readonly kind: 'analyse';
  readonly size: number;
  /** Shape of each float32 output, without the batch axis. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  /** Fail the job with `no_subject_found` when this one-number output is below the threshold. */
  readonly noSubject?: { readonly output: string; readonly below: number };
}

/** A graph over the whole image, squashed to `size` × `size`. */
export interface AnalyseStageManifest extends StageManifestBase, AnalyseFields {}

interface RenderFields {
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

/** A graph over equal tiles of the full-resolution image. */
export interface RenderStageManifest extends StageManifestBase, RenderFields {}

export type RemoteStageManifest = RemoteStageBase & (AnalyseFields | RenderFields);

/** Lays an alpha map over the full-resolution image; the graph is written by the catalogue. */
export interface MatteStageManifest extends Batching {
  readonly kind: 'matte';
  readonly remote?: undefined;
  /** Name of the analyse stage. */
  readonly analyse: string;
  /** Its output of shape [1, size, size]. */
  readonly map: string;
  readonly tile: number;
}

export type FileStageManifest = AnalyseStageManifest | RenderStageManifest;
export type StageManifest = FileStageManifest | RemoteStageManifest | MatteStageManifest;

/** A picture, and what one level once made of it. */
export interface GoldenImage {
  readonly before: string;
  readonly after: string;
  readonly level: Level;
  /** Largest difference allowed in any value; default 2. */
  readonly tolerance?: number;
}

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
  readonly golden?: readonly GoldenImage[];
}
