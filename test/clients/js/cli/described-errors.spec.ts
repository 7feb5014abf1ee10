import { describe, expect, it } from 'vitest';
import { describeError } from '../../../../clients/js/src/cli/describe-error.js';
import { ApiError } from '../../../../clients/js/src/node.js';

const QUALITY = { field: 'output.quality', code: 'range', message: 'output.quality must be at most 100.' };
const LEVEL = { field: 'level', code: 'enum', message: 'level must be low, medium or high.' };

const described = (detail: string, ...errors: (typeof QUALITY)[]): string =>
  describeError(
    new ApiError({
      status: 400,
      requestId: 'req_1',
      problem: { code: 'invalid_request', detail, errors },
      retryAfterSeconds: null,
    }),
  );

describe('describeError', () => {
  it('states the fault of a single field once', () => {
    expect(described(QUALITY.message, QUALITY)).toBe(`${QUALITY.message} (request req_1)`);
  });

  it('lists the fields that the detail does not mention', () => {
    expect(described('2 fields are invalid.', QUALITY, LEVEL)).toBe(
      `2 fields are invalid. (request req_1)\n  output.quality: ${QUALITY.message}\n  level: ${LEVEL.message}`,
    );
  });
});
