import type { Level } from '../../kernel/operations.js';
import type { Adapter } from './adapter.js';
import type { EngineName, RemoteModel, TensorflowStage } from './manifest.js';

/** The model that served a job; recorded in every job. */
export interface ModelIdentity {
  readonly name: string;
  readonly version: number;
  /**
   * One hash for the whole version: SHA-256 over the hashes of its stage files (and weight files, if a stage has them),
   * in the manifest's order, each as 64 lowercase hex digits and a newline (`jq -r '.stages[].sha256' manifest.json |
   * sha256sum`). An adapter, or the map of a matte stage, follows the files of its stage as one line of JSON, because
   * it affects the result as much as the weights do. So does a model on a server, without its URL.
   */
  readonly sha256: string;
}

interface StageRefBase {
  /** `<operation>/<version>/<stage>`, unique in the catalog. */
  readonly id: string;
  /** The engine that runs the stage. */
  readonly engine: EngineName | RemoteModel['engine'];
  /** For the engine `triton`. */
  readonly remote?: RemoteModel;
  /** Absolute path of the graph file, or of the folder for a stage without a file. */
  readonly path: string;
  /** The half-precision file, and the type of its input and output if an adapter wraps it. */
  readonly fp16?: { readonly path: string; readonly dtype?: 'float32' | 'float16' };
  /** The file with 8-bit weights and activations. Its inputs and outputs are those of `path`. */
  readonly int8?: { readonly path: string };
  /** The adapter that wraps the graph in the file. */
  readonly adapter?: Adapter;
  /** For the engine `tensorflow`. */
  readonly tensorflow?: TensorflowStage;
  readonly maxBatch: number;
  readonly maxDelayMs: number;
}

/** The analyse graph of a route: uint8 [N,size,size,3] in, float32 [N,…outputs] out. */
export interface AnalyseStageRef extends StageRefBase {
  readonly kind: 'analyse';
  readonly size: number;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly noSubject?: { readonly output: string; readonly below: number };
}

/** The render graph of a route: uint8 [N,edge,edge,C] in with edge = tile + 2 × halo, uint8 [N,edge × scale,edge × scale,C'] out. */
export interface RenderStageRef extends StageRefBase {
  readonly kind: 'render';
  readonly tile: number;
  readonly halo: number;
  readonly scale: number;
  /** C' is always 4. */
  readonly producesAlpha: boolean;
  /**
   * A map of the analyse stage, [C,size,size]. Where it is 0, the graph would return the pixels of the tile unchanged,
   * or transparent if it produces alpha. So it does not run for tiles where the map is 0 everywhere.
   */
  readonly skipWhereZero?: string;
  /** Without a file: the graph applies this map of an analyse stage, float32 [N,1,size,size], to the tile. */
  readonly matte?: { readonly map: string; readonly size: number };
}

/**
 * Whether a stage accepts tiles of another size than its manifest names. Remote stages are not divided: their server
 * has the memory for the size in the manifest.
 */
export function takesAnyTile({ adapter, remote }: RenderStageRef): boolean {
  if (remote !== undefined) return false;
  return adapter?.input.size.mode !== 'fixed' || adapter.input.resize === 'stretch';
}

/**
 * Whether a stage computes every size of tile in proportion to its pixels. An adapter may pad or stretch tiles to one
 * size.
 */
export function scalesWithTile({ adapter, remote, engine }: RenderStageRef): boolean {
  return adapter === undefined && remote === undefined && engine === 'onnx';
}

export type StageRef = AnalyseStageRef | RenderStageRef;

/** Everything needed to run one operation at one level. Plain data: it can be logged and sent to a thread. */
export interface ModelRoute {
  readonly model: ModelIdentity;
  readonly operation: string;
  readonly level: Level;
  /** 0 to 1. */
  readonly strength: number;
  readonly analyse: AnalyseStageRef | null;
  readonly render: RenderStageRef;
  /** Result pixels per source pixel, along each axis. */
  readonly scale: number;
  /** The result is always RGBA. */
  readonly producesAlpha: boolean;
}
