import type { ModelVersion } from '#src/models/repository/model-version.js';
import type { Enhancer } from '#src/inference/enhancer.js';
import type { Anchor } from './anchors.js';

/** The target for a number. */
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
  /** Number of measured pictures. */
  readonly count: number;
  /** Null where the folder lacks the required files. */
  readonly ours: number | null;
  /** The result of a trivial or classic method in the same run. */
  readonly baseline: { readonly name: string; readonly value: number } | null;
  readonly published: readonly Anchor[];
  /** Null where there is no target. */
  readonly target: Target | null;
}

/** Whether a row reaches its target; null where there is no target. */
export function isMet({ ours, target }: EvalRow): boolean | null {
  if (ours === null || target === null) return null;
  return target.at === 'least' ? ours >= target.value : ours <= target.value;
}

export const atLeast = (value: number): Target => ({ at: 'least', value });
export const atMost = (value: number): Target => ({ at: 'most', value });

const NOTHING = { level: 'all', count: 0, ours: null, baseline: null, published: [], target: null };
const MISSING = 'not there';

/** A row that names a missing part of the folder. */
export function missingRow(operation: string, set: string): EvalRow {
  return { operation, set, metric: MISSING, ...NOTHING };
}

/** A row for a version that cannot be measured. @param reason such as `has no …` */
export function unmeasuredRow(operation: string, reason: string): EvalRow {
  return { operation, set: '', metric: reason, ...NOTHING };
}

/** Why no row has a result; null if one has. @param data the folder */
export function whyNothing(rows: readonly EvalRow[], data: string): string | null {
  if (rows.some(({ ours }) => ours !== null)) return null;
  const version = rows.find(({ metric }) => metric !== MISSING);
  return version === undefined
    ? `There is nothing to measure with in ${data}: its layout must be that of models/README.md.`
    : `The version of ${version.operation} cannot be measured: it ${version.metric}.`;
}

/** The environment of an evaluation. */
export interface EvalHost {
  /** Folder with the layout of ../shared/data/README.md. */
  readonly data: string;
  /** Maximum pictures of each data set. */
  readonly limit: number;
  readonly version: ModelVersion;
  readonly enhancer: Enhancer;
  /** Threads for evaluations that run a graph directly. */
  readonly threads: number;
  readonly onPicture: (text: string) => void;
}

export type Evaluation = (host: EvalHost) => Promise<readonly EvalRow[]>;
