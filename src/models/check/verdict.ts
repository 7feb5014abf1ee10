import type { Refusal } from '../repository/catalog.js';
import type { TritonOptions } from '../../inference/engines/triton/triton-engine.js';
import type { ModelIdentity } from '../manifest/model-route.js';

/** One more with every change of what the check accepts or refuses: verdicts that are kept hold for one of them. */
export const CHECK_REVISION = 2;

/** How one stage ran in the check. */
export interface StageReport {
  /** Name of the stage in the manifest. */
  readonly stage: string;
  /** Shapes that were run, for example `4×272×272×3`. */
  readonly shapes: readonly string[];
  /** One item at full size, after warming up. */
  readonly itemMs: number;
  /** SHA-256 of the graph that ran: of the file, or of the composed graph. */
  readonly graphSha256: string;
  /** Adapter nodes lie around a foreign file, or the catalog wrote the graph. */
  readonly composed: boolean;
}

/** What a check found out about a version. */
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
      /** As it completes "… is not served: ", without a full stop. */
      readonly reason: string;
      /** Memory or time was short, or the check itself failed: the next try may end otherwise. */
      readonly isTransient: boolean;
      /** An inference server was away; see `ModelFault`. */
      readonly remote?: RemoteFault | undefined;
    };

/** The server does not answer, or does not have the model yet. */
export type RemoteFault = 'away' | 'absent';

/** What the checking process tells. */
export type CheckerMessage =
  /** What it does from now on, as in "while …". */
  | { readonly kind: 'step'; readonly doing: string }
  | { readonly kind: 'sound'; readonly verdict: Extract<VersionVerdict, { ok: true }> }
  | {
      readonly kind: 'unsound';
      readonly reason: string;
      readonly isTransient: boolean;
      readonly remote?: RemoteFault | undefined;
    };

/** What the checking process is asked. */
export interface CheckerRequest {
  /** Absolute path of `<models>/<operation>/<version>`. */
  readonly folder: string;
  /** Threads inside one run; 0 = one for each core. */
  readonly threads: number;
  /** Bytes of weights that are too many to even try. */
  readonly memoryLimitBytes: number;
  /** For stages that run on an inference server. */
  readonly triton?: TritonOptions | undefined;
}
