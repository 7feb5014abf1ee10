import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import { ZipArchive } from '../../../infra/archive/zip-archive.js';
import type { ByteRange } from '../../../infra/storage/object-store.js';
import { namesEtag, rangeOf, withoutBodyOfHead } from '../../../uploads/files/file-answer.js';
import { ResultChecksums } from './result-checksums.js';
import type { ArchiveFile } from './result-files.js';

const CACHE_CONTROL = 'private, no-cache';

/** Sends files as a ZIP archive, which can be resumed. */
@Injectable()
export class ArchiveAnswer {
  constructor(private readonly results: ResultChecksums) {}

  /**
   * Streams the archive or a range of it, one file at a time. The ETag changes with the files.
   * @param name of the archive, ASCII without quotes
   * @throws AppError `range_not_satisfiable`
   */
  send(files: readonly ArchiveFile[], name: string, request: FastifyRequest, reply: FastifyReply): void {
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
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': range === null ? archive.sizeBytes : range.end - range.start + 1,
    });
    if (range !== null)
      reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${archive.sizeBytes}`);
    const bytes = archive.read(range, (file, part) => this.open(file, part));
    const stream = Readable.from(bytes, { objectMode: false });
    void reply.type('application/zip').send(withoutBodyOfHead(request, stream));
  }

  private async open({ content }: ArchiveFile, part: ByteRange): Promise<Readable> {
    if ('bytes' in content) return Readable.from([content.bytes.subarray(part.start, part.end + 1)]);
    return this.results.open(content, part);
  }
}

/** Equal for the same files. */
function fingerprintOf(files: readonly ArchiveFile[]): string {
  const shapes = files.map(({ name, sizeBytes, crc32, modifiedAt }) => [name, sizeBytes, crc32, +modifiedAt]);
  return createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 32);
}
