import type { Refusal } from '../repository/catalog.js';
import type { TritonOptions } from '../../inference/engines/triton/triton-engine.js';
import type { ModelIdentity } from '../manifest/model-route.js';

/** Incremented with every change to what the check accepts or refuses. A stored verdict is valid for one revision. */
export const CHECK_REVISION = 5;

/** How one stage ran in the check. */
export interface StageReport {
  /** Name of the stage in the manifest. */
  readonly stage: string;
  /** Shapes that were run, for example `4×272×272×3`. */
  readonly shapes: readonly string[];
  /** Duration of one item at full size, after warming up. */
  readonly itemMs: number;
  /** SHA-256 of the graph that ran: of the file, or of the composed graph. */
  readonly graphSha256: string;
  /** Whether the graph was composed: adapter nodes around a foreign file, or a generated graph. */
  readonly composed: boolean;
  /** What users should look at, although the stage may serve. Empty unless the request asks for notes. */
  readonly notes: readonly string[];
}

/** The result of checking a version. */
export type VersionVerdict =
  | {
      readonly ok: true;
      readonly operation: string;
      readonly version: number;
      readonly model: ModelIdentity;
      readonly stages: readonly StageReport[];
    }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      /** Completes "… is not served: ", without a period. */
      readonly reason: string;
      /** There was not enough memory or time, or the check itself failed. The next attempt may succeed. */
      readonly isTransient: boolean;
      /** The state of the inference server that prevented the check; see `ModelFault`. */
      readonly remote?: RemoteFault | undefined;
    };

/**
 * `away`: the server does not respond. `absent`: it does not have the model yet. `late`: it was ready, but did not run
 * the model in time: the model hangs, or the server is overloaded. `unfit`: its model fails, stops the server, or differs
 * from the manifest or the golden images. The server may change at any time, so no verdict is stored.
 */
export type RemoteFault = 'away' | 'absent' | 'late' | 'unfit';

/** Messages from the checking process. */
export type CheckerMessage =
  /** The step that begins now, as a phrase that completes "while …". */
  | { readonly kind: 'step'; readonly doing: string }
  | { readonly kind: 'sound'; readonly verdict: Extract<VersionVerdict, { ok: true }> }
  | {
      readonly kind: 'unsound';
      readonly reason: string;
      readonly isTransient: boolean;
      readonly remote?: RemoteFault | undefined;
    };

/** The request to the checking process. */
export interface CheckerRequest {
  /** Absolute path of `<models>/<operation>/<version>`. */
  readonly folder: string;
  /** Threads inside one run; 0 = one for each core. */
  readonly threads: number;
  /** Memory limit in bytes. Weights that do not fit are refused without a dry run. */
  readonly memoryLimitBytes: number;
  /** For stages that run on an inference server. */
  readonly triton?: TritonOptions | undefined;
  /** Also measure what users should look at. This takes a few more runs of each stage. */
  readonly notes?: boolean | undefined;
}
