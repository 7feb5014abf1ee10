import { crc32 } from 'node:zlib';
import type { ZipFile } from '../../../infra/archive/zip-file.js';
import type { JobWithSource } from '../../job-presenter.js';
import { operationsOf } from '../../job-step.js';
import { resultName } from '../../session/result-name.js';
import type { Batch } from '../batch.js';
import { fileSystemName } from './file-system-name.js';
import { UniqueNames } from './unique-names.js';

/** The result of a job in the object store. */
export interface StoredResult {
  readonly jobId: string;
  readonly objectKey: string;
}

/** A file of the archive: a result in the object store, or the manifest. */
export interface ArchiveFile extends ZipFile {
  readonly content: StoredResult | { readonly bytes: Buffer };
}

/** A completed item whose result can still be read, with the checksum of its bytes. */
export interface StoredItem {
  readonly job: JobWithSource;
  readonly crc32: number;
}

/** Whether the result of an item can be read now. */
export function hasStoredResult(job: JobWithSource, nowMs: number): boolean {
  const { resultKey, resultErasedAt, resultExpiresAt } = job;
  return resultKey !== null && resultErasedAt === null && (resultExpiresAt?.getTime() ?? 0) > nowMs;
}

/**
 * The files of the archive of an ended batch: `manifest.json`, then the results in order. Contains nothing that changes
 * from one request to the next, so that downloads can be resumed.
 * @param names file names of the uploads by job id
 */
export function resultFiles(
  batch: Batch,
  jobs: readonly JobWithSource[],
  stored: readonly StoredItem[],
  names: ReadonlyMap<string, string>,
): ArchiveFile[] {
  const files = new Map(stored.map((item) => [item.job.id, fileOf(item, names.get(item.job.id) ?? null)]));
  const items = jobs.map((job) => itemOf(job, names.get(job.id) ?? null, files.get(job.id)?.name ?? null));
  const { operation, level } = batch.request;
  const manifest = { batchId: batch.id, operation, level, total: batch.total, items };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const modifiedAt = batch.completedAt!;
  return [
    {
      name: 'manifest.json',
      sizeBytes: bytes.length,
      crc32: crc32(bytes),
      modifiedAt,
      content: { bytes },
    },
    ...files.values(),
  ];
}

/**
 * The files of chosen results. Those that would have the same name get a number.
 * @param names file names of the uploads by job id
 */
export function selectedFiles(
  stored: readonly StoredItem[],
  names: ReadonlyMap<string, string>,
): ArchiveFile[] {
  const unique = new UniqueNames();
  return stored.map((item) => zipFileOf(item, unique.take(savedName(item, names.get(item.job.id) ?? null))));
}

function fileOf(item: StoredItem, sourceName: string | null): ArchiveFile {
  const index = String(item.job.batchIndex).padStart(4, '0');
  return zipFileOf(item, savedName(item, sourceName, `${index}-`));
}

function savedName({ job }: StoredItem, sourceName: string | null, prefix = ''): string {
  return fileSystemName(`${prefix}${resultName(sourceName, operationsOf(job), job.resultFormat!)}`);
}

function zipFileOf({ job, crc32: checksum }: StoredItem, name: string): ArchiveFile {
  return {
    name,
    sizeBytes: job.resultBytes!,
    crc32: checksum,
    modifiedAt: job.completedAt!,
    content: { jobId: job.id, objectKey: job.resultKey! },
  };
}

function itemOf(job: JobWithSource, sourceName: string | null, file: string | null): Record<string, unknown> {
  return {
    index: job.batchIndex,
    jobId: job.id,
    sourceId: job.sourceId,
    sourceName,
    status: job.status,
    error: job.errorCode,
    file,
    ...(file !== null && { bytes: job.resultBytes, sha256: job.resultSha256 }),
  };
}
