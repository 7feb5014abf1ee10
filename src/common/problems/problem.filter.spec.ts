import {
  type ArgumentsHost,
  BadRequestException,
  HttpException,
  Logger,
  NotFoundException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import { effectOf, loggedPath, ProblemFilter, toAppError } from './problem.filter.js';

const never = (): boolean => false;
const withStatus = (statusCode: number): Error => Object.assign(new Error('from the server'), { statusCode });

describe('toAppError', () => {
  it('leaves an AppError as it is', () => {
    const error = new AppError('gone');
    expect(toAppError(error, () => true)).toBe(error);
  });

  it.each([
    [new NotFoundException('x'), 'not_found'],
    [new BadRequestException('x'), 'invalid_request'],
    [new ServiceUnavailableException('x'), 'service_unavailable'],
    [withStatus(400), 'invalid_request'],
    [withStatus(413), 'payload_too_large'],
    [withStatus(415), 'unsupported_media_type'],
    [withStatus(418), 'internal_error'],
    [new HttpException('x', 499), 'internal_error'],
    [new TypeError('x is not a function'), 'internal_error'],
    ['a text', 'internal_error'],
    [undefined, 'internal_error'],
    [null, 'internal_error'],
    [{ status: 404 }, 'internal_error'],
  ])('%o becomes %s', (thrown, code) => {
    expect(toAppError(thrown, never).code).toBe(code);
  });

  it('never reveals what was thrown', () => {
    for (const thrown of [new NotFoundException('secret'), new Error('secret'), 'secret', withStatus(400)]) {
      const { detail, errors, extensions } = toAppError(thrown, never);
      expect(JSON.stringify({ detail, errors, extensions })).not.toMatch(/secret|from the server/);
    }
  });

  it('turns an unavailable dependency into a 503 with a retry delay', () => {
    const error = toAppError(new Error('ECONNREFUSED 10.0.0.1'), () => true);
    expect(error.code).toBe('service_unavailable');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.detail).not.toContain('10.0.0.1');
  });

  it('says that nothing was changed only where that is certain', () => {
    const detailFor = (method: string, headers = {}, isHandlerStarted = true): string =>
      toAppError(new Error('x'), () => true, effectOf({ method, headers, isHandlerStarted })).detail;
    for (const reading of [detailFor('GET'), detailFor('HEAD'), detailFor('POST', {}, false)])
      expect(reading).toMatch(/Nothing was changed/);
    for (const writing of [detailFor('POST'), detailFor('PATCH'), detailFor('DELETE')])
      expect(writing).toMatch(/may have been carried out\. Check before you retry/);
    expect(detailFor('POST', { 'idempotency-key': 'k' })).toMatch(
      /may have been carried out\. Retry with the same Idempotency-Key/,
    );
  });

  it('includes a retry delay in every 503', () => {
    expect(toAppError(new ServiceUnavailableException(), never).retryAfterSeconds).toBeGreaterThan(0);
  });
});

describe('loggedPath', () => {
  it('contains neither the query of a signed URL nor the token of a share link', () => {
    expect(loggedPath('/files/src_1.jpg?exp=1&sig=abc', '/files/:name')).toBe('/files/src_1.jpg');
    expect(loggedPath('/share/secret/photo?x=1', '/share/:token/photo')).toBe('/share/:token/photo');
    expect(loggedPath('/unknown?x=1', undefined)).toBe('/unknown');
  });
});

describe('the log of a problem', () => {
  /** The level and the text of the line that a thrown error leaves. */
  function logged(thrown: unknown): readonly [level: string, text: unknown][] {
    const lines: [string, unknown][] = [];
    for (const level of ['debug', 'warn', 'error'] as const) {
      const spy = vi.spyOn(Logger.prototype, level).mockImplementation((...given: unknown[]) => {
        lines.push([level, given[1]]);
      });
      onTestFinished(() => spy.mockRestore());
    }
    const request = { id: 'req_1', method: 'GET', url: '/x', routeOptions: {}, raw: { complete: true } };
    const reply: Record<string, unknown> = { raw: { removeHeader: () => undefined } };
    for (const name of ['header', 'headers', 'removeHeader', 'hasHeader', 'status', 'type', 'send'])
      reply[name] = () => reply;
    const http = { getRequest: () => request, getResponse: () => reply };
    const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
    new ProblemFilter('http://localhost', never).catch(thrown, host);
    return lines;
  }

  it('has no stack when a limit of the service refuses a request', () => {
    expect(logged(new AppError('service_unavailable', { internal: 'too many streams' }))).toEqual([
      ['warn', 'refused'],
    ]);
  });

  it('has the stack of a fault', () => {
    const cause = new Error('EIO');
    for (const fault of [new AppError('service_unavailable', { cause }), new TypeError('x is undefined')])
      expect(logged(fault)).toEqual([['error', expect.stringMatching(/problem\.filter\.spec\.ts:\d+/)]]);
  });

  it('is for debugging when the client is at fault', () => {
    expect(logged(new AppError('not_found'))).toEqual([['debug', 'refused']]);
  });
});
