import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from '../common/requests/request-context.js';
import { invalidRequest } from '../common/validation/validation.pipe.js';

/** The header in the OpenAPI document. */
export const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'A unique string that you choose. A request with the same key is processed only once, and retries get the same response.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', maxLength: 255 },
};

/** The `Idempotency-Key` header, if present: 1 to 255 printable ASCII characters. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
    if (header === undefined) return undefined;
    if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
    throw invalidRequest([
      {
        field: 'Idempotency-Key',
        code: 'format',
        message: 'The Idempotency-Key header must have 1 to 255 printable ASCII characters without spaces.',
      },
    ]);
  },
);
