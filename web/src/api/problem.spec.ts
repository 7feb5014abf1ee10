import { i18n } from '@lingui/core';
import { ApiError, ConnectionError } from 'image-enhancement-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fieldFault, isGone, isRefused, problemOf } from './problem.js';

const refusal = (retryAfterSeconds: number | null, problem = {}) =>
  new ApiError({ status: 429, requestId: null, problem, retryAfterSeconds });

describe('problemOf', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts the wait of each refusal from when it was first shown', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const first = refusal(7);
    expect(problemOf(first).retryAtMs).toBe(1_007_000);
    vi.setSystemTime(1_003_000);
    expect(problemOf(first).retryAtMs).toBe(1_007_000);
    expect(problemOf(refusal(7)).retryAtMs).toBe(1_010_000);
    expect(problemOf(refusal(null)).retryAtMs).toBeNull();
  });

  it('uses the text of the service, or its own if there is none', () => {
    expect(problemOf(refusal(null, { title: 'Slow down', detail: 'Wait.' }))).toMatchObject({
      title: 'Slow down',
      detail: 'Wait.',
    });
    expect(problemOf(refusal(null)).detail).toContain('429');
    expect(problemOf(new ConnectionError('http://x: ECONNREFUSED')).title).toBe("Can't reach the service");
    expect(problemOf(new Error('broken')).detail).toBe('broken');
  });

  it('names no field of the API when the service fails', () => {
    i18n.activate('en');
    const detail = 'Include the `requestId` when you contact support.';
    const problem = { code: 'internal_error', detail } as const;
    const error = new ApiError({ status: 500, requestId: 'req_1', problem, retryAfterSeconds: null });
    expect(problemOf(error).detail).toBe('Something failed on our side. Try again.');
  });
});

const answerOf = (status: number) =>
  new ApiError({ status, requestId: null, problem: {}, retryAfterSeconds: null });

describe('isGone', () => {
  it('is true only if something no longer exists, because other errors may hide an earlier success', () => {
    expect([404, 410].map((status) => isGone(answerOf(status)))).toEqual([true, true]);
    const others = [400, 401, 403, 409, 422, 429, 502].map(answerOf);
    expect([...others, new ConnectionError('http://x: ECONNRESET')].some(isGone)).toBe(false);
  });
});

describe('isRefused', () => {
  it('is true only if repeating the request is useless', () => {
    expect([401, 404, 410].map((status) => isRefused(answerOf(status)))).toEqual([true, true, true]);
    expect([429, 502].map((status) => isRefused(answerOf(status)))).toEqual([false, false]);
    expect(isRefused(new ConnectionError('http://x: ECONNRESET'))).toBe(false);
  });
});

describe('fieldFault', () => {
  const faultOf = (field: string, message: string, code = 'format') => {
    const problem = { errors: [{ field, code, message }] };
    const error = new ApiError({ status: 400, requestId: null, problem, retryAfterSeconds: null });
    return fieldFault(error, field);
  };

  it('does not show the name that the field has in the API', () => {
    expect(faultOf('url', 'url: The URL must begin with https://.')).toBe(
      'The URL must begin with https://.',
    );
    expect(faultOf('name', 'name must not be empty.')).toBe('This must not be empty.');
    expect(faultOf('newPassword', 'newPassword must not be the email address.')).toBe(
      "Don't use your email address.",
    );
    expect(faultOf('url', 'url: 10.0.0.1 is private. Requests to such addresses are not allowed.')).toBe(
      'Requests to 10.0.0.1 are not allowed, because it is not a public address.',
    );
  });

  it('is a translated text by the code in other languages than English', () => {
    i18n.loadAndActivate({ locale: 'de', messages: {} });
    expect(faultOf('name', 'name is so wrong.', 'text')).toMatch(/^This is too long/);
    expect(faultOf('name', 'name is so wrong.', 'new_code')).toBe('This is so wrong.');
    i18n.loadAndActivate({ locale: 'en', messages: {} });
    expect(faultOf('name', 'name is so wrong.', 'text')).toBe('This is so wrong.');
  });

  it('is undefined for another field', () => {
    expect(fieldFault(refusal(null), 'url')).toBeUndefined();
  });
});
