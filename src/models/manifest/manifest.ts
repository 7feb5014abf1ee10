import type { Level } from '../../kernel/operations.js';
import type { InputAdapter, LumaScale, OutputAdapter } from './adapter.js';

export type EngineName = 'onnx' | 'tensorflow';

/** A model on an inference server, instead of a file. */
export interface RemoteModel {
  readonly engine: 'triton';
  /** Name of the model on the server. */
  readonly model: string;
  /** Its version on the server. */
  readonly version: number;
  /** URLs of the replicas, separated by commas, without credentials. Default: `TRITON_URL`. */
  readonly url?: string;
}

/** The pixel format of a TensorFlow.js model, and its files besides `model.json`. */
export interface TensorflowStage {
  /** The values of bytes 0 and 255 at the model's input. */
  readonly inputRange: readonly number[];
  /** The model's output values for bytes 0 and 255, for render stages. Default: `inputRange`. */
  readonly outputRange?: readonly number[];
  /** SHA-256 of every weight file, by name. */
  readonly weights: Readonly<Record<string, string>>;
}

interface Batching {
  /** Maximum items of one run. */
  readonly maxBatch: number;
  /** How long an item may wait for a batch while the device is busy. */
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
  /** The same graph in half precision. `dtype` is the type of its input and output; default: that of the adapter. */
  readonly fp16?: {
    readonly file: string;
    readonly sha256: string;
    readonly dtype?: 'float32' | 'float16';
  };
  /** The same graph with 8-bit weights and activations, and the same inputs and outputs. */
  readonly int8?: { readonly file: string; readonly sha256: string };
  /** SHA-256 of every file with external weights of the ONNX graph, by name. */
  readonly external?: Readonly<Record<string, string>>;
  /** Both or neither: the graph was not made for this service and is wrapped. */
  readonly input?: InputAdapter;
  readonly output?: OutputAdapter;
  readonly luma?: LumaScale;
}

/** Replaces files in a stage whose graph runs on an inference server. */
interface RemoteStageBase extends Batching {
  readonly remote: RemoteModel;
}

interface AnalyseFields {
  readonly kind: 'analyse';
  readonly size: number;
  /** Shape of each float32 output, without the batch axis. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  /** Fails the job with `no_subject_found` when this scalar output is below the threshold. */
  readonly noSubject?: { readonly output: string; readonly below: number };
}

/** A graph over the whole image, resized to `size` × `size`. */
export interface AnalyseStageManifest extends StageManifestBase, AnalyseFields {}

interface RenderFields {
  readonly kind: 'render';
  /** Width and height of the useful part of a tile in source pixels. */
  readonly tile: number;
  /** Source pixels around the useful part that the graph also sees. */
  readonly halo: number;
  /** Output pixels per source pixel, along each axis. */
  readonly scale: number;
  /** `keep`: as many channels out as in. `produce`: always RGBA. */
  readonly alpha?: 'keep' | 'produce';
  /** Name of a map. Tiles where it is 0 everywhere stay unchanged, or become transparent if alpha is produced. */
  readonly skipWhereZero?: string;
}

/** A graph over equal tiles of the full-resolution image. */
export interface RenderStageManifest extends StageManifestBase, RenderFields {}

export type RemoteStageManifest = RemoteStageBase & (AnalyseFields | RenderFields);

/** Applies an alpha map to the full-resolution image; its graph is generated. */
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

/** A picture, and its reference result at one level. */
export interface GoldenImage {
  readonly before: string;
  readonly after: string;
  readonly level: Level;
  /** Maximum difference in any value; default 2. */
  readonly tolerance?: number;
}

export interface LevelManifest {
  /** 0 to 1, an input of the render graph. */
  readonly strength: number;
  readonly analyse?: string;
  readonly render: string;
}

/** A checked `models/<operation>/<version>/manifest.json`. */
export interface Manifest {
  readonly name: string;
  readonly operation: string;
  readonly description: string;
  readonly engine: EngineName;
  readonly license: string;
  readonly source: string;
  readonly trainedOn: string;
  readonly stages: Readonly<Record<string, StageManifest>>;
  readonly levels: Readonly<Record<Level, LevelManifest>>;
  readonly golden?: readonly GoldenImage[];
}
