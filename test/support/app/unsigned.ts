/** A job as the API returns it, without the signature in its source URL, which differs in every response. */
export function unsigned(body: unknown): unknown {
  const job = body as { sourceUrl: string };
  return { ...job, sourceUrl: new URL(job.sourceUrl).pathname };
}
