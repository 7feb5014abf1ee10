/** A job as the API answers it, its source's address without the signature: that is made anew for every answer. */
export function unsigned(body: unknown): unknown {
  const job = body as { sourceUrl: string };
  return { ...job, sourceUrl: new URL(job.sourceUrl).pathname };
}
