import { describe, expect, it } from 'vitest';
import { AppError } from './app-error.js';
import { ERROR_CODES } from './errors/error-codes.js';

describe('AppError', () => {
  it('uses the text of its code by default', () => {
    const error = new AppError('not_found');
    expect(error.detail).toBe(ERROR_CODES.not_found.text);
    expect(error.errors).toEqual([]);
    expect(error.extensions).toEqual({});
    expect(error.retryAfterSeconds).toBeUndefined();
  });

  it('keeps public and internal text apart', () => {
    const cause = new Error('disk 3');
    const error = new AppError('service_unavailable', {
      detail: 'Later.',
      internal: 'disk 3 is full',
      cause,
    });
    expect(error.detail).toBe('Later.');
    expect(error.message).toBe('disk 3 is full');
    expect(error.cause).toBe(cause);
  });
});
