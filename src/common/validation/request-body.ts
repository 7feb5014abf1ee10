import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../kernel/app-error.js';
import { hasMoreMembers } from './json-members.js';

/** A job with all the metadata that it may have takes 66 kB, with every character escaped. */
const MAX_JSON_BYTES = 128 * 1024;
/** No form of the dashboard comes near it. */
const MAX_SESSION_JSON_BYTES = 16 * 1024;
/** Names and elements of a whole body; the largest that means anything has some forty. */
export const MAX_MEMBERS = 200;

/**
 * A body that could not be read. Fastify parses bodies before any guard runs; keeping the fault as a value
 * lets the guards speak first (a bad key is 401 and counted, whatever the body), and the validation pipe throws it.
 */
export class UnreadableBody {
  constructor(readonly error: AppError) {}
}

/** `type/subtype` and anything after it (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Registers the body parsers: JSON into a value or an UnreadableBody; multipart is left to the upload route.
 * @param isWorthReading false for a request that the guards will refuse anyway: its body is not kept in memory
 * @param isOfSession true for a route of the dashboard, whose bodies are smaller
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
      return readJson(payload, isOfSession(request) ? MAX_SESSION_JSON_BYTES : MAX_JSON_BYTES);
    },
  );
  fastify.addContentTypeParser(/^multipart\/form-data/i, (_request, _payload, done) => done(null, undefined));
  // Fastify refuses a malformed type before any guard runs; as an unknown one it is refused after them.
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

/** The 400 of a body or query that is wider than anything the API reads. */
export function tooManyMembers(where: 'body' | 'query'): AppError {
  const message = `The ${where} has more than ${MAX_MEMBERS} members.`;
  return new AppError('invalid_request', {
    detail: message,
    errors: [{ field: '', code: 'members', message }],
  });
}

/** Whether a body is compressed, or otherwise not what its type says. Nothing here would decode it. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? '';
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

/** The 415 of such a body (RFC 9110 §15.5.16). */
export function encodedBody(): AppError {
  return new AppError('unsupported_media_type', {
    detail: 'A Content-Encoding is not supported here. Send the body uncompressed.',
  });
}

async function readJson(payload: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not break the connection: the answer still has to go out over it.
  const body = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      const detail = `The JSON body is larger than ${maxBytes / 1024} kB.`;
      return new UnreadableBody(new AppError('payload_too_large', { detail }));
    }
    chunks.push(chunk);
  }
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
