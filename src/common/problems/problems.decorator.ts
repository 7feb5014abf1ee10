import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../../kernel/errors/error-codes.js';

/** Problems of every route that requires a key. */
export const KEY_PROBLEMS = [
  'unauthorized',
  'insufficient_scope',
  'address_not_allowed',
  'account_suspended',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

/** Adds the problems of a route to OpenAPI, from the table of errors. */
export function Problems(...codes: readonly ErrorCode[]): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  // Every JSON body is checked against its digest.
  const digest: ErrorCode[] = codes.includes('malformed_json') ? ['content_digest_mismatch'] : [];
  for (const code of new Set([...codes, ...digest])) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, ofStatus]) =>
      ApiResponse({
        status,
        description: ofStatus.map((code) => `\`${code}\`: ${ERROR_CODES[code].text}`).join('\n\n'),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { type: 'string', enum: ofStatus } } },
              ],
            },
          },
        },
      }),
    ),
  );
}
