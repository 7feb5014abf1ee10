import { describe, expect, it } from 'vitest';
import { noticeOf } from './account-notice.js';

describe('a notice', () => {
  it('is read from its row', () => {
    const change = 'password_reset_by_operator';
    expect(noticeOf({ kind: 'sign_in_changed', data: { change } })).toEqual({
      kind: 'sign_in_changed',
      change,
    });
    const data = { endpointId: 'we_1', origin: 'https://receiver.example', reason: 'gone' };
    expect(noticeOf({ kind: 'endpoint_disabled', data })).toMatchObject(data);
    expect(noticeOf({ kind: 'quota', data: { percent: 80 } })).toMatchObject({ percent: 80 });
  });

  it.each([
    ['sign_in_changed', { change: 'of_a_later_version' }],
    ['endpoint_disabled', { reason: 'of_a_later_version' }],
    ['of_a_later_version', {}],
  ])('of a later version is skipped: %s %j', (kind, data) => {
    expect(noticeOf({ kind, data })).toBeUndefined();
  });
});
