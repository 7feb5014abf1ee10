import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { rangeOf, namesEtag, withoutBodyOfHead } from '../../../uploads/files/file-answer.js';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import { ZipArchive } from '../../../infra/archive/zip-archive.js';
import { type ByteRange, ObjectStore } from '../../../infra/storage/object-store.js';
import { AppError } from '../../../kernel/app-error.js';
import { JobSourceNamesRepository } from '../../session/job-source-names.repository.js';
import { BatchesRepository } from '../batches.repository.js';
import { BatchesService } from '../batches.service.js';
import { MAX_BATCH_ITEMS } from '../create-batch.dto.js';
import { ResultChecksums } from './result-checksums.js';
import { type ArchiveFile, hasStoredResult, resultFiles } from './result-files.js';

const CACHE_CONTROL = 'private, no-cache';

/** Sends the results of a batch as one ZIP archive. */
@Injectable()
export class BatchArchive {
  constructor(
    private readonly service: BatchesService,
    private readonly batches: BatchesRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly checksums: ResultChecksums,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Streams the archive or a range of it, one result at a time. The ETag changes when a result is erased.
   * @throws AppError `not_found`, `batch_not_finished`, `range_not_satisfiable`
   */
  async answer(accountId: string, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const files = await this.files(accountId, id);
    const etag = `"${fingerprintOf(files)}"`;
    if (namesEtag(request.headers['if-none-match'], etag)) {
      void reply.status(304).headers({ ETag: etag, 'Cache-Control': CACHE_CONTROL }).send();
      return;
    }
    const archive = new ZipArchive(files);
    reply.header('Accept-Ranges', 'bytes');
    const range = rangeOf(request, reply, etag, archive.sizeBytes);
    reply.headers({
      ETag: etag,
      'Cache-Control': CACHE_CONTROL,
      'X-Content-Type-Options': 'nosniff',
      'Content-Disposition': `attachment; filename="${id}.zip"`,
      'Content-Length': range === null ? archive.sizeBytes : range.end - range.start + 1,
    });
    if (range !== null)
      reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${archive.sizeBytes}`);
    const bytes = archive.read(range, (file, part) => this.open(file, part));
    const stream = Readable.from(bytes, { objectMode: false });
    void reply.type('application/zip').send(withoutBodyOfHead(request, stream));
  }

  private async files(accountId: string, id: string): Promise<ArchiveFile[]> {
    const batch = await this.service.read(accountId, id);
    if (batch.completedAt === null) throw new AppError('batch_not_finished', { retryAfterSeconds: 5 });
    const jobs = await this.batches.items(accountId, id, { afterIndex: -1 }, MAX_BATCH_ITEMS);
    const nowMs = Date.now();
    const names = await this.names.namesOf(
      accountId,
      jobs.map((job) => job.id),
    );
    const stored = await this.checksums.of(jobs.filter((job) => hasStoredResult(job, nowMs)));
    return resultFiles(batch, jobs, stored, names);
  }

  private async open({ content }: ArchiveFile, part: ByteRange): Promise<Readable> {
    if ('bytes' in content) return Readable.from([content.bytes.subarray(part.start, part.end + 1)]);
    return (await this.store.open(content.objectKey, () => part)).stream;
  }
}

/** Equal for the same files. */
function fingerprintOf(files: readonly ArchiveFile[]): string {
  const shapes = files.map(({ name, sizeBytes, crc32, modifiedAt }) => [name, sizeBytes, crc32, +modifiedAt]);
  return createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 32);
}
