interface OpenedFrom {
  readonly batchId: string | undefined;
}

/** The state of a link from a batch to one of its jobs. Closing the job leads back to the batch. */
export function openedFrom(batchId: string | undefined): OpenedFrom {
  return { batchId };
}

/** The page that shows what is behind a job. @param search the filters of the list of all jobs */
export function pathBehind(state: unknown, search: string): string {
  const batchId = (state as OpenedFrom | null)?.batchId;
  return batchId === undefined ? `/jobs${search}` : `/batches/${encodeURIComponent(batchId)}`;
}
