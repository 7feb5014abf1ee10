import type { Harness, TestAccount } from './harness.js';

/** An archive of results as it was sent. */
export interface SentArchive {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export async function readArchive(
  harness: Harness,
  account: TestAccount,
  batchId: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<SentArchive> {
  const answer = await fetch(`${harness.url}/api/ai/batches/${batchId}/results.zip`, {
    method,
    headers: { 'x-api-key': account.key, ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

/** An ended batch with two results, and an item that failed between them. */
export async function endedBatch(
  harness: Harness,
  account: TestAccount,
): Promise<{ id: string; jobs: string[] }> {
  const { url } = await harness.newSource(account);
  const { id } = await harness.newBatch(account, { sourceUrls: [url, url, url] });
  const jobs = await harness.batchJobs(id);
  await harness.jobs.complete(jobs[0]!, Buffer.from('the first result'));
  await harness.jobs.fail(jobs[1]!, 'no_subject_found');
  await harness.jobs.complete(jobs[2]!, Buffer.from('the last result'));
  return { id, jobs };
}

interface Manifest {
  readonly batchId: string;
  readonly items: readonly {
    readonly jobId: string;
    readonly file: string | null;
    readonly status: string;
  }[];
}

/** The manifest, which comes first, and the names of the results, which are stored uncompressed. */
export function contentsOf(bytes: Buffer): { readonly manifest: Manifest; readonly names: string[] } {
  const size = bytes.readUInt32LE(22);
  const start = 30 + bytes.readUInt16LE(26);
  const names: string[] = [];
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const nameBytes = bytes.readUInt16LE(at + 26);
    names.push(bytes.toString('utf8', at + 30, at + 30 + nameBytes));
    at += 30 + nameBytes + bytes.readUInt32LE(at + 22);
  }
  return { manifest: JSON.parse(bytes.toString('utf8', start, start + size)) as Manifest, names };
}
