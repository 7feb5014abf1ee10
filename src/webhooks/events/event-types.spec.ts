import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, originalOf, withAliases } from './event-types.js';

describe('EVENT_TYPES', () => {
  it('are those of the specification and of batches', () => {
    expect([...EVENT_TYPES].toSorted()).toEqual([
      'batch.completed',
      'batch.item.failed',
      'enhancement.completed',
      'enhancement.failed',
      'enhancement.queued',
      'image.completed',
      'image.uploaded',
      'job.completed',
      'ping',
      'quota.exceeded',
      'upload.finished',
    ]);
  });
});

describe('withAliases', () => {
  it.each([
    ['enhancement.completed', ['enhancement.completed', 'job.completed', 'image.completed']],
    ['image.uploaded', ['image.uploaded', 'upload.finished']],
    ['enhancement.queued', ['enhancement.queued']],
    ['enhancement.failed', ['enhancement.failed']],
    ['quota.exceeded', ['quota.exceeded']],
  ] as const)('of %s', (type, sent) => {
    expect(withAliases(type)).toEqual(sent);
  });
});

describe('originalOf', () => {
  it('is the inverse of withAliases', () => {
    expect(Object.fromEntries(EVENT_TYPES.map((type) => [type, originalOf(type)]))).toEqual({
      'enhancement.queued': null,
      'enhancement.completed': null,
      'enhancement.failed': null,
      'image.uploaded': null,
      'quota.exceeded': null,
      ping: null,
      'job.completed': 'enhancement.completed',
      'image.completed': 'enhancement.completed',
      'upload.finished': 'image.uploaded',
      'batch.completed': null,
      'batch.item.failed': null,
    });
  });
});
