import { storable } from '../../kernel/storable-text.js';

/** Far longer than any reason that a person reads. */
const MAX_REASON_LENGTH = 2_000;

/**
 * A reason that every worker can announce and store. Reasons quote manifests, names inside of models and messages of
 * runtimes, which may contain anything.
 */
export function refusalReason(text: string): string {
  const isLong = text.length > MAX_REASON_LENGTH;
  return storable(isLong ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text);
}
