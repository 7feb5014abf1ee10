import type { StageRef } from '../../models/manifest/model-route.js';
import type { Precision } from '../../models/compose/compose-stage.js';
import type { InferenceDevice } from '../engines/execution-provider.js';
import type { PrecisionChoice } from '../engines/precision.js';
import type { NamedTensors } from '../tensor.js';

/**
 * Messages between the host and the device thread. Small on purpose: a native binding may replace the thread.
 * Tensors are transferred, not copied; failures are values.
 */

/**
 * A stage, and for a render stage the shapes of the maps (per item, no batch axis) that its routes pass to it.
 */
export interface DeviceStage {
  readonly ref: StageRef;
  readonly mapSets: readonly Readonly<Record<string, readonly number[]>>[];
}

/** A stage that a device thread does not have. */
export interface LeftOutStage {
  readonly stageId: string;
  readonly message: string;
}

/** The start parameters of the thread. */
export interface DeviceStart {
  readonly device: InferenceDevice;
  /** Index of the accelerator among those of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
  /** Whether stages of engines without the device may use another one. Default: only with `auto`. */
  readonly isGuess?: boolean | undefined;
  /** Threads for CPU runs; 0: one for each core. */
  readonly threads: number;
  /**
   * The number of device threads that share a CPU or CUDA. On a CPU, each uses its share of `threads`.
   */
  readonly streams: number;
  /** Upper bound for every stage's `maxBatch`. Default (null): none on a GPU, 1 on a CPU. */
  readonly largestBatch?: number | null;
  /** Default: `auto`. */
  readonly precision?: PrecisionChoice | undefined;
  readonly stages: readonly DeviceStage[];
  /**
   * Skips stages that do not load, because another thread of the same device has them. Default: all must load.
   */
  readonly isPartial?: boolean;
}

/** A stage whose largest batch did not fit into memory at warm-up. */
export interface LoweredStage {
  readonly stageId: string;
  /** Items of the largest batch that fitted; 0: tiles are divided. */
  readonly size: number;
  /** Items of the largest batch that the stage may have. */
  readonly of: number;
}

/** One item of a batch: tensors [1,…] by input name. */
export interface DeviceItem {
  readonly tensors: NamedTensors;
  /**
   * Id of an analysis. Maps take megabytes and every tile of a job needs them, so they stay in the thread: an analyse
   * stage stores its outputs under this id, and a render stage reads them from there.
   */
  readonly analysis: number | null;
}

/** The result of one item. A render stage returns pixels; an analyse stage returns only what the host must check. */
export type DeviceOutcome = { readonly ok: true; readonly tensors: NamedTensors } | FailedOutcome;

export interface FailedOutcome {
  readonly ok: false;
  readonly message: string;
  /** The item alone did not fit into the device's memory. */
  readonly isOutOfMemory?: boolean;
}

/** The outputs of an analysis, for the other threads of the same device. */
export interface CachedAnalysis {
  readonly analysis: number;
  readonly maps: NamedTensors;
}

/** One run of a graph, for metrics. */
export interface RunReport {
  readonly stageId: string;
  readonly items: number;
  /** The batch size of the run; the difference to the number of items is padding. */
  readonly size: number;
  readonly runMs: number;
  readonly end: 'done' | 'failed' | 'out_of_memory';
}

export type HostMessage =
  | {
      readonly kind: 'run';
      readonly ticket: number;
      readonly stageId: string;
      readonly items: readonly DeviceItem[];
      /** Buffers from `lent` that are no longer in use. */
      readonly returned: readonly ArrayBuffer[];
    }
  /** Store the output of another thread's analysis, whose tiles may run in this thread. */
  | ({ readonly kind: 'cache' } & CachedAnalysis)
  | { readonly kind: 'forget'; readonly analysis: number }
  /** Warm the remaining stages in idle time. Sent once. */
  | { readonly kind: 'warm' }
  | { readonly kind: 'close' };

export type DeviceMessage =
  /**
   * All stages are loaded on `provider`, and warm unless warming was postponed. `passedOver` explains why `auto` did
   * not choose a better provider.
   */
  | {
      readonly kind: 'ready';
      readonly provider: string;
      /** The provider of each engine's stages, for example `{ onnx: 'cuda:0', tensorflow: 'tensorflow-wasm' }`. */
      readonly providers: Readonly<Record<string, string>>;
      readonly passedOver: readonly string[];
      /** The precision of each stage, by id. */
      readonly precisions: Readonly<Record<string, Precision>>;
      /** Render stages that compute smaller tiles than their manifest names, by id. */
      readonly resizable: readonly string[];
      /** Skipped stages, each with the reason. */
      readonly leftOut: readonly LeftOutStage[];
      readonly lowered: readonly LoweredStage[];
      /** Upper bound for every stage's `maxBatch`. */
      readonly largestBatch: number;
    }
  | { readonly kind: 'refused'; readonly message: string }
  /** The device runs nothing anymore. The thread only waits for `close`. */
  | { readonly kind: 'broken'; readonly message: string }
  | {
      readonly kind: 'outcomes';
      readonly ticket: number;
      readonly outcomes: readonly DeviceOutcome[];
      /** Buffers of the outcomes that the thread wants back, because it writes the next results into them. */
      readonly lent: readonly ArrayBuffer[];
      /** In the order in which they ran. */
      readonly runs: readonly RunReport[];
      /** Copies of the outputs of analyses, when several threads share the device. */
      readonly cached: readonly CachedAnalysis[];
    }
  /** Warming has finished; `broken` lists the stages that do not run and whose items will fail. */
  | { readonly kind: 'warm'; readonly broken: readonly string[] };
