import { isSuccess, type SettledAttempt } from './settlement.js';

/** The outcome for an endpoint from some attempts at one URL. */
export interface EndpointOutcome {
  readonly endpointId: string;
  readonly url: string;
  /** At least one attempt succeeded, which ends the run of failures. */
  readonly succeeded: boolean;
  readonly firstFailureAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly isGone: boolean;
  readonly pauseInMs: number | null;
}

/**
 * One outcome for each URL of an endpoint that changes its state: a failure, or a success after failures. Other
 * successes change nothing and cost no write.
 * @param written ids of the deliveries whose result was stored, and whether their endpoint was failing at that time;
 * the state at the claim may be outdated. Other attempts are ignored.
 */
export function outcomesOf(
  settled: readonly SettledAttempt[],
  written: ReadonlyMap<string, boolean>,
): EndpointOutcome[] {
  const outcomes = new Map<string, EndpointOutcome>();
  for (const one of settled) {
    const { id, destination } = one.attempt.row;
    const isFailing = written.get(id);
    if (isFailing === undefined) continue;
    // Attempts at an old URL do not count for the new one.
    const key = `${destination.endpointId} ${destination.endpointUrl}`;
    const succeeded = isSuccess(one.attempt);
    const known = outcomes.get(key);
    if (succeeded && !isFailing && known === undefined) continue;
    outcomes.set(key, joined(known, one, succeeded));
  }
  return [...outcomes.values()];
}

function joined(
  known: EndpointOutcome | undefined,
  { attempt, settlement }: SettledAttempt,
  succeeded: boolean,
): EndpointOutcome {
  const { destination } = attempt.row;
  // The URL of one job is gone; others of its host may still exist.
  const isGone = settlement.isGone && !destination.isCallback;
  const failedAt = succeeded ? null : attempt.startedAt;
  return {
    endpointId: destination.endpointId,
    url: destination.endpointUrl,
    succeeded: succeeded || known?.succeeded === true,
    firstFailureAt: known?.firstFailureAt ?? failedAt,
    lastFailureAt: failedAt ?? known?.lastFailureAt ?? null,
    isGone: isGone || known?.isGone === true,
    pauseInMs: settlement.pauseInMs ?? known?.pauseInMs ?? null,
  };
}
