import type { ModelVersion } from '#src/models/repository/model-version.js';
import type { EvalHost, EvalRow } from '../eval/eval-row.js';
import { EVALUATIONS } from '../eval/evaluations.js';

/** One row of the evaluation, for both versions. */
export interface ScorePair {
  readonly level: string;
  readonly set: string;
  readonly metric: string;
  readonly count: number;
  readonly a: number | null;
  readonly b: number | null;
}

/** The scores of both versions if the folder has the layout of `models eval`; otherwise empty. */
export async function compareScores(
  [first, second]: readonly [ModelVersion, ModelVersion],
  host: Omit<EvalHost, 'version'>,
): Promise<readonly ScorePair[]> {
  const evaluate = EVALUATIONS[first.manifest.operation];
  if (evaluate === undefined) return [];
  const rows = await evaluate({ ...host, version: first });
  const others = new Map((await evaluate({ ...host, version: second })).map((row) => [keyOf(row), row]));
  return rows
    .filter((row) => row.ours !== null || others.get(keyOf(row))?.ours != null)
    .map((row) => {
      const { level, set, metric, count, ours } = row;
      return { level, set, metric, count, a: ours, b: others.get(keyOf(row))?.ours ?? null };
    });
}

function keyOf({ level, set, metric }: EvalRow): string {
  return `${level} ${set} ${metric}`;
}
