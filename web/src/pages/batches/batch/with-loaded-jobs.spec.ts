import { describe, expect, it } from 'vitest';
import { withLoadedJobs } from './with-loaded-jobs.js';

const queued = { status: 'queued', error: null } as const;
const completed = { status: 'completed', error: null } as const;
const canceled = { status: 'failed', error: { code: 'canceled', message: '', retryable: false } } as const;
const counts = (changes = {}) => ({
  total: 3,
  queued: 3,
  processing: 0,
  completed: 0,
  failed: 0,
  canceled: 0,
  ...changes,
});
const batch = { status: 'queued', counts: counts(), percent: 0 } as const;

describe('withLoadedJobs', () => {
  it('counts what the page shows, if all jobs are loaded', () => {
    expect(withLoadedJobs(batch, [completed, canceled, queued])).toEqual({
      status: 'processing',
      counts: counts({ queued: 1, completed: 1, canceled: 1 }),
      percent: 66,
    });
    expect(withLoadedJobs(batch, [queued, queued, queued])).toEqual(batch);
  });

  it('is not queued if some of the jobs have started', () => {
    expect(withLoadedJobs(batch, [completed])).toEqual({ ...batch, status: 'processing' });
    expect(withLoadedJobs(batch, [])).toEqual(batch);
  });

  it('does not change a batch that has ended, whose jobs may be older', () => {
    const ended = { status: 'completed', counts: counts({ queued: 0, completed: 3 }), percent: 100 } as const;
    expect(withLoadedJobs(ended, [completed, completed, queued])).toBe(ended);
  });
});
