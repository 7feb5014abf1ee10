import { ApiError } from 'image-enhancement-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionJob } from '../schema.js';
import { fetchResult, savedName } from './fetch-result.js';

const ID = 'job_01980000000070008000000000000000';
const JOB = { id: ID, result: { format: 'png' } } as SessionJob;

describe('fetchResult', () => {
  const answer = vi.fn<(url: string) => Promise<Response>>();
  const { signal } = new AbortController();

  beforeEach(() => {
    vi.stubGlobal('location', { origin: 'http://dashboard.test' });
    vi.stubGlobal('localStorage', { getItem: () => null });
    vi.stubGlobal('navigator', { languages: ['en'] });
    vi.stubGlobal('fetch', answer);
  });
  afterEach(() => {
    answer.mockReset();
    vi.unstubAllGlobals();
  });

  it('returns the bytes under the name of the photo', async () => {
    const headers = { 'content-disposition': "attachment; filename*=UTF-8''Zo%C3%AB.png" };
    answer.mockImplementation(async () => new Response('pixels', { headers }));
    const file = await fetchResult(JOB, signal);
    expect([file.name, file.type, await file.text()]).toEqual(['Zoë.png', 'image/png', 'pixels']);
    expect(answer.mock.calls[0]?.[0]).toBe(`http://dashboard.test/dashboard/api/ai/enhance/${ID}/result`);
  });

  it.each([429, 503])('does not report a result as deleted when the service answers %d', async (status) => {
    const problem = { title: 'No', status, detail: 'No.', code: 'no' };
    answer.mockImplementation(async () => Response.json(problem, { status }));
    const fault = await fetchResult(JOB, signal).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ApiError);
    expect(fault).toMatchObject({ status, code: 'no' });
  });

  it('requests nothing for a job without a result', async () => {
    const { result: _result, ...job } = JOB;
    await expect(fetchResult(job as SessionJob, signal)).rejects.toThrow('was deleted, or has expired');
    expect(answer).not.toHaveBeenCalled();
  });
});

describe('savedName', () => {
  it('reads both forms', () => {
    expect(savedName('attachment; filename="a.png"')).toBe('a.png');
    expect(savedName(null)).toBeNull();
  });
});
