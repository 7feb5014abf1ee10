import type { ModelVersion } from '#src/models/repository/model-version.js';
import type { Enhancer } from '#src/inference/enhancer.js';
import type { Anchor } from './anchors.js';

/** What a number should be. */
export interface Target {
  readonly at: 'least' | 'most';
  readonly value: number;
}

/** One line of the table. */
export interface EvalRow {
  readonly operation: string;
  readonly level: string;
  readonly set: string;
  readonly metric: string;
  /** Pictures that were measured. */
  readonly count: number;
  /** Null where the folder lacks what would be measured. */
  readonly ours: number | null;
  /** What knowing nothing, or a classic method, reaches in the same run. */
  readonly baseline: { readonly name: string; readonly value: number } | null;
  readonly published: readonly Anchor[];
  /** Null where nothing was set. */
  readonly target: Target | null;
}

/** Whether a row reaches its target; null where there is none to reach. */
export function isMet({ ours, target }: EvalRow): boolean | null {
  if (ours === null || target === null) return null;
  return target.at === 'least' ? ours >= target.value : ours <= target.value;
}

export const atLeast = (value: number): Target => ({ at: 'least', value });
export const atMost = (value: number): Target => ({ at: 'most', value });

/** A line that names a part of the folder that is not there. */
export function missingRow(operation: string, set: string): EvalRow {
  const nothing = { count: 0, ours: null, baseline: null, published: [], target: null };
  return { operation, level: 'all', set, metric: 'not there', ...nothing };
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
