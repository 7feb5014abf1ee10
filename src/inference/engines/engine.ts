import type { StageRef } from '../../models/manifest/model-route.js';
import type { Precision } from '../../models/compose/compose-stage.js';
import type { NamedTensors } from '../tensor.js';

/** One loaded graph. */
export interface Graph {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Declared dimensions of the input `image`, as far as they are fixed. Default: not known. */
  readonly imageDims?: readonly (number | null)[];
  /** The precision of the stage's file from which the graph was loaded. Default: single precision. */
  readonly precision?: Precision;
  /** Whether the input `image` may have any height and width. Default: false. */
  readonly takesAnySize?: boolean;
  /**
   * Whether the runtime prepares itself for one shape at a time, so that a run takes much longer if its shape differs
   * from that of the last one. Default: false.
   */
  readonly keepsOneShape?: boolean;
  /** Whether `run` writes into the tensors that it is given for its outputs. Default: false. */
  readonly takesResults?: boolean;
  /**
   * Runs the graph; may block the calling thread.
   * @param signal aborts a run that does not block
   * @param results tensors into which to write the outputs with these names; see `takesResults`. Their types and shapes
   * must be those of the outputs
   * @throws Error with the runtime's text; RunNotMade; the signal's reason
   */
  run(inputs: NamedTensors, signal?: AbortSignal, results?: NamedTensors): Promise<NamedTensors>;
  release(): Promise<void>;
}

/** Runs graphs on one accelerator; the interface to a runtime. */
export interface Engine {
  /** The provider of the stages that the engine loads next, for example `cpu` or `cuda:1`; recorded in every job. */
  readonly provider: string;
  /** @throws Error when the file or the provider does not load */
  load(stage: StageRef): Promise<Graph>;
}
