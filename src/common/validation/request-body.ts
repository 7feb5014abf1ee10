import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../kernel/app-error.js';
import { ContentDigest } from '../requests/content-digest.js';
import { hasMoreMembers } from './json-members.js';
import { collectBody } from './collect-body.js';
import { type BodyBytes, JsonMemory } from './json-memory.js';

/** Maximum members and elements of a body or query. The largest valid body, other than a batch, has about 40. */
export const MAX_MEMBERS = 200;

export interface JsonLimits {
  readonly bytes: number;
  /** Members and elements. */
  readonly members: number;
}

/** A job with the maximum metadata takes 66 kB if every character is escaped. */
export const API_JSON: JsonLimits = { bytes: 128 * 1024, members: MAX_MEMBERS };
/** Far more than any form of the dashboard sends. */
export const SESSION_JSON: JsonLimits = { bytes: 16 * 1024, members: MAX_MEMBERS };
/** Enough for 1,000 URLs of up to 400 bytes, in addition to the fields of a job. */
export const BATCH_JSON: JsonLimits = { bytes: 512 * 1024, members: 1_000 + MAX_MEMBERS };

/**
 * A body that could not be parsed. Fastify parses bodies before the guards run. Keeping the error as a value lets the
 * guards respond first: a wrong key gets a 401 regardless of the body. The validation pipe throws the error.
 */
export class UnreadableBody {
  constructor(readonly error: AppError) {}
}

/** `type/subtype` and anything after it (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Registers the body parsers. JSON becomes a value or an UnreadableBody. Multipart bodies are left to the upload route.
 * @param isWorthReading false for a request that the guards will reject; its body is discarded
 * @param limitsOf limits of the JSON body of a request; null for a route that reads the body itself
 * @param clientOf under which name bodies are counted that have not arrived completely
 */
export function registerBodyParsers(
  fastify: FastifyInstance,
  isWorthReading: (request: FastifyRequest) => boolean,
  limitsOf: (request: FastifyRequest) => JsonLimits | null,
  clientOf: (request: FastifyRequest) => string,
): void {
  const memory = new JsonMemory();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    /^application\/(json|[\w.+-]+\+json)(;|$)/i,
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const limits = limitsOf(request);
      if (limits === null) return undefined;
      if (!isWorthReading(request)) return new UnreadableBody(new AppError('unauthorized'));
      if (isEncoded(payload)) return new UnreadableBody(encodedBody());
      const bytes = memory.body(clientOf(request), largestSize(payload, limits));
      return readJson(payload, limits, bytes)
        .catch(unreadable)
        .finally(() => bytes.release());
    },
  );
  fastify.addContentTypeParser(/^multipart\/form-data/i, (_request, _payload, done) => done(null, undefined));
  // Fastify rejects a malformed type before the guards run. With an unknown type, the request is rejected after them.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type'])) {
      headers['content-type'] = 'application/octet-stream';
    }
    done();
  });
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    const type = request.headers['content-type'] ?? 'none';
    const detail = `Content-Type "${type.slice(0, 100)}" is not supported. Send application/json, or multipart/form-data to upload.`;
    done(null, new UnreadableBody(new AppError('unsupported_media_type', { detail })));
  });
}

/** The 400 for a body or query with too many members. */
export function tooManyMembers(where: 'body' | 'query', limit = MAX_MEMBERS): AppError {
  const message = `The ${where} has more than ${limit} members.`;
  return new AppError('invalid_request', {
    detail: message,
    errors: [{ field: '', code: 'members', message }],
  });
}

/** Whether a body has a content encoding. The service decodes none. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? '';
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

/** The 415 for an encoded body (RFC 9110 §15.5.16). */
export function encodedBody(): AppError {
  return new AppError('unsupported_media_type', {
    detail: 'A Content-Encoding is not supported here. Send the body uncompressed.',
  });
}

/** How many bytes a body may have. */
function largestSize({ headers }: IncomingMessage, { bytes }: JsonLimits): number {
  return Math.min(bytes, Number(headers['content-length'] ?? bytes));
}

function unreadable(error: unknown): UnreadableBody {
  if (error instanceof AppError) return new UnreadableBody(error);
  throw error;
}

async function readJson(payload: IncomingMessage, limits: JsonLimits, bytes: BodyBytes): Promise<unknown> {
  const digest = ContentDigest.of(payload);
  const body = await collectBody(payload, limits, bytes, digest);
  digest.verify();
  if (body.length === 0) return undefined;
  try {
    const text = body.validText();
    return hasMoreMembers(text, limits.members)
      ? new UnreadableBody(tooManyMembers('body', limits.members))
      : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    return new UnreadableBody(
      new AppError('malformed_json', { detail: `The body is not valid JSON: ${reason}.` }),
    );
  }
}
