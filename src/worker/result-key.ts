/**
 * Where a claim keeps its result. Its number is part of the key and never comes twice: a run that has lost its lease
 * may clean up after itself without touching what another one has stored.
 */
export function resultKey(jobId: string, claim: number, extension: string): string {
  return `results/${jobId}-${claim}.${extension}`;
}
