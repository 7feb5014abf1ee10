import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import { problemOf } from './problem.js';

describe('problemOf', () => {
  it('is an RFC 9457 document that links to the documentation of its code', () => {
    const errors = [{ field: 'level', code: 'enum', message: 'level must be one of low, medium, high.' }];
    const error = new AppError('invalid_request', { detail: 'level is wrong.', errors, internal: 'secret' });
    expect(problemOf(error, 'https://images.example', 'req_1')).toEqual({
      type: 'https://images.example/docs/errors#invalid_request',
      title: 'Invalid request',
      status: 400,
      detail: 'level is wrong.',
      code: 'invalid_request',
      requestId: 'req_1',
      errors,
    });
  });

  it('includes the extension members of a code', () => {
    const error = new AppError('quota_exceeded', { extensions: { quota: 'storage', resetsAt: null } });
    expect(problemOf(error, 'https://x', 'r')).toMatchObject({
      status: 403,
      quota: 'storage',
      resetsAt: null,
    });
  });
});
