import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import { namesEtag } from '../../../uploads/files/file-answer.js';

/** A document that never changes, in both encodings. */
interface Prepared {
  readonly plain: Encoded;
  readonly gzip: Encoded;
}

interface Encoded {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves a document that stays the same while the process runs. It is built, compressed and hashed on first request,
 * because anyone may request it, and each of these costs more than the rest of a request.
 */
export function serveDocument(app: INestApplication, path: string, build: () => OpenAPIObject): void {
  let prepared: Prepared | undefined;
  app.getHttpAdapter().get(path, (request: FastifyRequest, reply: FastifyReply) => {
    prepared ??= prepare(build());
    const { plain, gzip } = prepared;
    const { bytes, headers } = acceptsGzip(request.headers['accept-encoding']) ? gzip : plain;
    const held = request.headers['if-none-match'];
    const isHeld = [plain, gzip].some((each) => namesEtag(held, each.headers['ETag']!));
    void reply.headers({ ...headers, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    if (isHeld) void reply.status(304).send();
    else void reply.type('application/json; charset=utf-8').send(bytes);
  });
}

function prepare(document: OpenAPIObject): Prepared {
  const bytes = Buffer.from(JSON.stringify(document));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return {
    plain: { bytes, headers: { ETag: `"${hash}"` } },
    gzip: { bytes: gzipSync(bytes), headers: { ETag: `"${hash}-gzip"`, 'Content-Encoding': 'gzip' } },
  };
}

/** Whether an `Accept-Encoding` header names gzip, and not with `q=0` (RFC 9110 §12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()))
    .some(([name, weight]) => name === 'gzip' && !/^q=0(?:\.0*)?$/.test(weight ?? ''));
}
