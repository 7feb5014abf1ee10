import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { OptionalKey } from '../common/access.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems.decorator.js';
import { IMAGE_CONTENT_TYPES } from '../kernel/operations.js';

const BYTES = { schema: { type: 'string', format: 'binary' } } as const;

/** A route that answers the bytes of a file: to whoever holds a signed address, or a key of the account. */
export function FileRoute(operation: { summary: string; operationId: string }): MethodDecorator {
  return applyDecorators(
    OptionalKey(),
    ApiOperation(operation),
    ApiResponse({
      status: 200,
      description: 'The bytes.',
      content: Object.fromEntries(Object.values(IMAGE_CONTENT_TYPES).map((type) => [type, BYTES])),
    }),
    ApiResponse({ status: 304, description: 'What `If-None-Match` names is still what there is.' }),
    Problems('invalid_request', 'not_found', 'gone', ...KEY_PROBLEMS),
  );
}
