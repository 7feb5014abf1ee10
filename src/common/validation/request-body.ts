import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../kernel/app-error.js';
import { ContentDigest } from '../requests/content-digest.js';
import { hasMoreMembers } from './json-members.js';

/** A job with the largest metadata takes 66 kB with every character escaped. */
const MAX_JSON_BYTES = 128 * 1024;
/** Far more than any form of the dashboard sends. */
const MAX_SESSION_JSON_BYTES = 16 * 1024;
/** Maximum members and elements of a body. The largest valid body has about forty. */
export const MAX_MEMBERS = 200;

/**
 * A body that could not be parsed. Fastify parses bodies before the guards run. Keeping the error as a value
 * lets the guards respond first (a wrong key is 401, whatever the body); the validation pipe throws it.
 */
export class UnreadableBody {
  constructor(readonly error: AppError) {}
}

/** `type/subtype` and anything after it (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Registers the body parsers: JSON becomes a value or an UnreadableBody; multipart is left to the upload
 * route.
 * @param isWorthReading false for a request that the guards will refuse; its body is not kept
 * @param isOfSession true for dashboard routes, whose bodies are smaller
 */
export function registerBodyParsers(
  fastify: FastifyInstance,
  isWorthReading: (request: FastifyRequest) => boolean,
  isOfSession: (request: FastifyRequest) => boolean,
): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    /^application\/(json|[\w.+-]+\+json)(;|$)/i,
    async (request: FastifyRequest, payload: IncomingMessage) => {
      if (!isWorthReading(request)) return new UnreadableBody(new AppError('unauthorized'));
      if (isEncoded(payload)) return new UnreadableBody(encodedBody());
      const maxBytes = isOfSession(request) ? MAX_SESSION_JSON_BYTES : MAX_JSON_BYTES;
      return readJson(payload, maxBytes).catch(unreadable);
    },
  );
  fastify.addContentTypeParser(/^multipart\/form-data/i, (_request, _payload, done) => done(null, undefined));
  // Fastify refuses a malformed type before the guards run. As an unknown type it is refused after them.
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
export function tooManyMembers(where: 'body' | 'query'): AppError {
  const message = `The ${where} has more than ${MAX_MEMBERS} members.`;
  return new AppError('invalid_request', {
    detail: message,
    errors: [{ field: '', code: 'members', message }],
  });
}

/** Whether a body has a content encoding. None is decoded. */
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

function unreadable(error: unknown): UnreadableBody {
  if (error instanceof AppError) return new UnreadableBody(error);
  throw error;
}

async function readJson(payload: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const digest = ContentDigest.of(payload);
  // Leaving the loop must not close the connection: the response is still to be sent.
  const body = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      const detail = `The JSON body is larger than ${maxBytes / 1024} kB.`;
      return new UnreadableBody(new AppError('payload_too_large', { detail }));
    }
    chunks.push(chunk);
    digest.update(chunk);
  }
  digest.verify();
  if (size === 0) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return hasMoreMembers(text, MAX_MEMBERS) ? new UnreadableBody(tooManyMembers('body')) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    return new UnreadableBody(
      new AppError('malformed_json', { detail: `The body is not valid JSON: ${reason}.` }),
    );
  }
}
