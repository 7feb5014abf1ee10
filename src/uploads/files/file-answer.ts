import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import { isFromOwnPage } from '../../auth/sessions/same-origin.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { ByteRange, ObjectStore } from '../../infra/storage/object-store.js';
import { hasAnyScope, insufficientScope } from '../../common/access/scope.guard.js';
import { AppError } from '../../kernel/app-error.js';
import { IMAGE_CONTENT_TYPES, IMAGE_EXTENSIONS, type ImageFormat } from '../../kernel/operations.js';
import type { Scope } from '../../kernel/scopes.js';
import { requestedRange } from './byte-range.js';
import type { FileUrls } from './file-urls.js';
import { counted, type SentBytes } from './sent-bytes.js';

/** A stored file as sent to a reader. */
export interface StoredFile {
  readonly id: string;
  readonly accountId: string;
  readonly objectKey: string;
  readonly format: ImageFormat;
  readonly sha256: string;
  /** Why the file can no longer be read, or null. */
  readonly goneBecause: string | null;
  /** Makes it a download under this name. If absent, a browser displays it. */
  readonly saveAs?: string;
  /**
   * Called when a response with bytes of the file has ended. Such a file is not redirected to the store, because the
   * bytes sent there could not be counted.
   */
  readonly onSent?: (sent: SentBytes) => void;
}

export interface FileQuery {
  readonly exp?: string;
  readonly sig?: string;
}

const READ_SCOPES: readonly Scope[] = ['image:read', 'ai:enhance'];
const CACHE_CONTROL = 'private, max-age=3600';
/** A file that is erased once it was sent must not stay in the cache of a browser. */
const ERASED_CACHE_CONTROL = 'no-store';
/** Lifetime of a direct URL for the holder of a key. */
const KEY_LINK_SECONDS = 300;

/**
 * Streams a file to holders of a valid signed URL or a key of the account. An unauthorized request gets the same
 * response as one for a file that does not exist.
 * @throws AppError `not_found`, `gone`, `range_not_satisfiable`; `insufficient_scope` for a key of the account that
 * may not read
 */
export async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile | null,
  query: FileQuery,
  fileUrls: FileUrls,
  store: ObjectStore,
): Promise<void> {
  if (file === null) throw new AppError('not_found');
  const expiresAt = readableUntil(request, file, query, fileUrls);
  if (file.goneBecause !== null) throw new AppError('gone', { detail: file.goneBecause });
  const isSentHere = isUnchanged(request, file) || mustBeSentHere(request, reply, file, fileUrls.publicUrl);
  const link = isSentHere ? undefined : await directLink(file, expiresAt, store);
  if (link !== undefined) {
    void reply.status(302).headers(link).send();
    return;
  }
  const cacheControl = file.onSent === undefined ? CACHE_CONTROL : ERASED_CACHE_CONTROL;
  await streamFile(request, reply, file, store, cacheControl);
}

/**
 * Streams a file to a reader whose access was checked; answers ranges, `HEAD` and `If-None-Match`. Never redirects.
 * @throws AppError `range_not_satisfiable`
 */
export async function streamFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  store: ObjectStore,
  cacheControl: string,
): Promise<void> {
  const etag = etagOf(file);
  if (isUnchanged(request, file)) {
    void reply.status(304).headers({ ETag: etag, 'Cache-Control': cacheControl }).send();
    return;
  }
  const { stream, sizeBytes, range } = await store.open(file.objectKey, (size) => {
    reply.header('Accept-Ranges', 'bytes');
    return rangeOf(request, reply, etag, size);
  });
  const length = range === null ? sizeBytes : range.end - range.start + 1;
  reply.headers({
    ETag: etag,
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Disposition': dispositionOf(file),
    'Content-Length': length,
  });
  if (range !== null) {
    reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
  }
  const body = withoutBodyOfHead(request, stream);
  const isCounted = request.method === 'GET' && file.onSent !== undefined;
  void reply
    .type(IMAGE_CONTENT_TYPES[file.format])
    .send(isCounted ? counted(body, reply, { start: range?.start ?? 0, length }, file.onSent) : body);
}

const etagOf = ({ sha256 }: StoredFile): string => `"${sha256}"`;

const isUnchanged = ({ headers }: FastifyRequest, file: StoredFile): boolean =>
  namesEtag(headers['if-none-match'], etagOf(file));

/**
 * Whether a redirect to the store cannot answer the request: `HEAD`, because a direct URL is valid only for `GET`;
 * requests of this service's pages, whose Content-Security-Policy allows no other origin; those of pages that CORS
 * allows, because a browser sends `Origin: null` after such a redirect; and downloads under a name of their own.
 */
function mustBeSentHere(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  publicUrl: string,
): boolean {
  if (method === 'HEAD' || file.saveAs !== undefined || file.onSent !== undefined) return true;
  const isAllowedByCors = headers.origin !== undefined && reply.hasHeader('Access-Control-Allow-Origin');
  return isAllowedByCors || isFromOwnPage(headers, publicUrl);
}

/**
 * The headers of a redirect to a store with URLs of its own. The direct URL expires together with the requested one;
 * a request with a key gets a short one.
 */
async function directLink(
  file: StoredFile,
  expiresAt: number,
  store: ObjectStore,
): Promise<Readonly<Record<string, string>> | undefined> {
  const location = await store.directUrl(file.objectKey, {
    expiresAt,
    contentType: IMAGE_CONTENT_TYPES[file.format],
    fileName: `${file.id}.${IMAGE_EXTENSIONS[file.format]}`,
  });
  return location === undefined ? undefined : { Location: location, 'Cache-Control': 'no-store' };
}

/** RFC 6266, with any character of the name as in RFC 8187. */
function dispositionOf({ id, format, saveAs }: StoredFile): string {
  if (saveAs !== undefined) return contentDisposition(saveAs);
  return `inline; filename="${id}.${IMAGE_EXTENSIONS[format]}"`;
}

/**
 * The requested part, if any. `Range` applies only to GET, and with `If-Range` only while the file is still the one
 * that the client has a part of.
 * @throws AppError `range_not_satisfiable`
 */
export function rangeOf(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  sizeBytes: number,
): ByteRange | null {
  const ifRange = headers['if-range'];
  if (method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return null;
  const range = requestedRange(headers.range, sizeBytes);
  if (range !== 'unsatisfiable') return range;
  reply.header('Content-Range', `bytes */${sizeBytes}`);
  throw new AppError('range_not_satisfiable', { detail: `The file has ${sizeBytes} bytes.` });
}

/** Fastify would read the whole file for a HEAD and discard it. */
export function withoutBodyOfHead({ method }: FastifyRequest, stream: Readable): Readable {
  if (method !== 'HEAD') return stream;
  stream.destroy();
  return Readable.from([]);
}

/** Whether an `If-None-Match` header matches this file: one tag, several, weak ones, or `*` (RFC 9110 §13.1.2). */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/**
 * @returns when the permission to read the file ends, in seconds since 1970: that of the signed URL, or
 *   {@link KEY_LINK_SECONDS} from now for a key
 * @throws AppError `not_found`, `gone`, `insufficient_scope`
 */
function readableUntil(
  { principal }: FastifyRequest,
  file: StoredFile,
  { exp, sig }: FileQuery,
  fileUrls: FileUrls,
): number {
  const nowSeconds = Date.now() / 1000;
  const isOwner = principal?.accountId === file.accountId;
  const mayRead = isOwner && hasAnyScope(principal, READ_SCOPES);
  const name = `${file.id}.${IMAGE_EXTENSIONS[file.format]}`;
  const isSigned = exp !== undefined && sig !== undefined && fileUrls.isSigned(name, exp, sig);
  if (isSigned && Number(exp) >= nowSeconds) return Number(exp);
  if (mayRead) return Math.floor(nowSeconds) + KEY_LINK_SECONDS;
  if (!isSigned) throw isOwner ? insufficientScope(principal, READ_SCOPES) : new AppError('not_found');
  throw new AppError('gone', {
    detail: 'This signed URL has expired. Read the job or source again for a new one.',
  });
}
