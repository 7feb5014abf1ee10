import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import supertest, { type Response } from 'supertest';
import { expect } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../src/kernel/errors/error-codes.js';
import { type Conformance, conformanceOf } from './openapi-conformance.js';

export type Answer = Response;

export interface CallOptions {
  /** Sent as `x-api-key`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as the only part of a multipart body. */
  readonly file?: { readonly bytes: Buffer; readonly name: string; readonly field?: string };
  /** Sent unchanged; its content type belongs in `headers`. */
  readonly body?: string | Buffer;
}

/** Error codes of responses that are sent before the key's account is known. */
const BEFORE_KEY: ReadonlySet<string> = new Set(['unauthorized']);
const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/** Routes that do not look at the key. */
const PUBLIC = /^\/(health\/|docs|openapi\.json)/;
/** Text that belongs only in the log. */
const INTERNAL = /\bat .*\.[jt]s:\d+|node_modules|SELECT |INSERT |ECONN|typeorm|postgres/i;

/** Sends requests and checks every response against the general rules of the contract. */
export class ApiClient {
  private conformance: Conformance | undefined;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly url: string,
    private readonly publicUrl: string,
  ) {}

  async call(method: string, path: string, options: CallOptions): Promise<Answer> {
    const answer = await this.send(method, path, options);
    const what = `${method} ${path} → ${answer.status} ${answer.text?.slice(0, 300) ?? ''}`;
    expect(answer.headers['x-request-id'], what).toMatch(/^[\w.:-]{1,128}$/);
    if (answer.status >= 400) this.checkProblem(answer, what);
    checkRateHeaders(answer, path, options, what);
    this.conformance ??= conformanceOf(this.app);
    if (!isMalformed(path)) this.conformance.published.check(method, path, answer);
    // The document of the dashboard's routes describes only success.
    if (answer.status < 300) {
      this.conformance.session.check(method, path, answer);
      this.conformance.operator.check(method, path, answer);
    }
    return answer;
  }

  private async send(method: string, path: string, options: CallOptions): Promise<Answer> {
    const request = supertest(this.url)[methodOf(method)](path).redirects(0);
    if (options.key !== undefined) request.set('x-api-key', options.key);
    request.set(options.headers ?? {});
    if (options.file !== undefined) {
      const { bytes, name, field } = options.file;
      return request.attach(field ?? 'file', bytes, name);
    }
    if (options.json !== undefined) return request.send(options.json as object);
    if (options.body === undefined) return request;
    return request.serialize((body) => body as string).send(options.body);
  }

  /** Every error must be a problem document that agrees with its status and with the table of errors. */
  private checkProblem(answer: Answer, what: string): void {
    expect(answer.headers['content-type'], what).toMatch(/^application\/problem\+json/);
    const problem = answer.body as Record<string, unknown>;
    const code = problem['code'] as ErrorCode;
    expect(ERROR_CODES, what).toHaveProperty(code);
    expect(problem, what).toMatchObject({
      type: `${this.publicUrl}/docs/errors#${code}`,
      title: ERROR_CODES[code].title,
      status: ERROR_CODES[code].status,
      requestId: answer.headers['x-request-id'],
      errors: expect.any(Array) as unknown,
    });
    expect(answer.status, what).toBe(ERROR_CODES[code].status);
    expect(problem['detail'], what).toMatch(/\S/);
    expect(answer.text, what).not.toMatch(INTERNAL);
    const needsRetryAfter = answer.status === 429 || answer.status === 503;
    if (needsRetryAfter) expect(answer.headers['retry-after'], what).toMatch(/^[1-9]\d*$/);
    if (answer.status === 401)
      expect(answer.headers['www-authenticate'], what).toMatch(
        code === 'unauthorized' ? /^ApiKey\b/ : /^Session\b/,
      );
  }
}

/** Rate headers must be on every response to a valid key, and on no other. */
function checkRateHeaders(answer: Answer, path: string, options: CallOptions, what: string): void {
  const code = (answer.body as { code?: string } | undefined)?.code;
  // Without the database, nobody can tell whether a key is valid.
  if (answer.status >= 500 || PUBLIC.test(path) || isMalformed(path)) return;
  const known = options.key !== undefined && !BEFORE_KEY.has(code ?? '');
  for (const name of RATE_HEADERS) {
    if (known) expect(answer.headers[name], `${name} of ${what}`).toMatch(/^\d+$/);
    else expect(answer.headers, what).not.toHaveProperty(name);
  }
}

/** A path that no router can parse; it is rejected before the key is checked. */
function isMalformed(path: string): boolean {
  try {
    decodeURI(path);
    return false;
  } catch {
    return true;
  }
}

function methodOf(method: string): 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options' {
  return method.toLowerCase() as 'get';
}
