/**
 * Where an attempt keeps its result. The attempt is part of the key: one that has lost its lease may clean
 * up after itself without touching what another attempt has stored.
 */
export function resultKey(jobId: string, attempt: number, extension: string): string {
  return `results/${jobId}-${attempt}.${extension}`;
}
