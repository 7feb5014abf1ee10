import { isSuccess, type SettledAttempt } from './settlement.js';

/** What some attempts at one address say of its endpoint. */
export interface EndpointVerdict {
  readonly endpointId: string;
  readonly url: string;
  /** At least one of them succeeded: the run of failures is over. */
  readonly succeeded: boolean;
  readonly firstFailureAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly isGone: boolean;
  readonly pauseInMs: number | null;
}

/**
 * One verdict for each endpoint of which there is something to say: a failure, or a success after failures. A
 * success like any other changes nothing, and costs no write.
 */
export function verdictsOf(settled: readonly SettledAttempt[]): EndpointVerdict[] {
  const byEndpoint = new Map<string, EndpointVerdict>();
  for (const one of settled) {
    const { destination } = one.attempt.row;
    const succeeded = isSuccess(one.attempt);
    const known = byEndpoint.get(destination.endpointId);
    if (succeeded && !destination.isFailing && known === undefined) continue;
    byEndpoint.set(destination.endpointId, joined(known, one, succeeded));
  }
  return [...byEndpoint.values()];
}

function joined(
  known: EndpointVerdict | undefined,
  { attempt, settlement }: SettledAttempt,
  succeeded: boolean,
): EndpointVerdict {
  const failedAt = succeeded ? null : attempt.startedAt;
  return {
    endpointId: attempt.row.destination.endpointId,
    url: attempt.row.destination.url,
    succeeded: succeeded || known?.succeeded === true,
    firstFailureAt: known?.firstFailureAt ?? failedAt,
    lastFailureAt: failedAt ?? known?.lastFailureAt ?? null,
    isGone: settlement.isGone || known?.isGone === true,
    pauseInMs: settlement.pauseInMs ?? known?.pauseInMs ?? null,
  };
}
