/**
 * The object key of a claim's result. The claim number is part of it and never repeats, so a run that lost
 * its lease can clean up without touching the result of another.
 */
export function resultKey(jobId: string, claim: number, extension: string): string {
  return `results/${jobId}-${claim}.${extension}`;
}
