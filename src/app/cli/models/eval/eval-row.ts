import type { Enhancer } from '../../../../inference/enhancer.js';
import type { ModelVersion } from '../../../../catalog/model-version.js';
import type { Anchor } from './anchors.js';

/** One line of the table. */
export interface EvalRow {
  readonly operation: string;
  readonly level: string;
  readonly set: string;
  readonly metric: string;
  /** Pictures that were measured. */
  readonly count: number;
  readonly ours: number;
  /** What knowing nothing, or a classic method, reaches in the same run. */
  readonly baseline: { readonly name: string; readonly value: number } | null;
  readonly published: readonly Anchor[];
}

/** What an evaluation works with. */
export interface EvalHost {
  /** Folder with the layout of ../shared/data/README.md. */
  readonly data: string;
  /** At most so many pictures of a set. */
  readonly limit: number;
  readonly version: ModelVersion;
  readonly enhancer: Enhancer;
  /** Threads of a tool that runs a graph by itself. */
  readonly threads: number;
  readonly onPicture: (text: string) => void;
}

export type Evaluation = (host: EvalHost) => Promise<readonly EvalRow[]>;
