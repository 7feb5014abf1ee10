import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { OptionalKey } from '../../common/access/access.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import { IMAGE_CONTENT_TYPES } from '../../kernel/operations.js';

const BYTES = { schema: { type: 'string', format: 'binary' } } as const;
/** The bytes of an image in the OpenAPI document, by content type. */
export const IMAGE_CONTENT = Object.fromEntries(
  Object.values(IMAGE_CONTENT_TYPES).map((type) => [type, BYTES]),
);

const ACCESS =
  'Anyone with the signed URL can read the file until the URL expires. Without a valid signature, an API key of the account is required.';

/** A route that returns the bytes of a file to holders of a signed URL or a key of the account. */
export function FileRoute(operation: { summary: string; operationId: string }): MethodDecorator {
  return applyDecorators(
    OptionalKey(),
    ApiOperation({ ...operation, description: ACCESS }),
    ApiHeader({
      name: 'Range',
      required: false,
      description:
        'One range of bytes, for example `bytes=0-1023`. For several ranges, the whole file is sent.',
      schema: { type: 'string' },
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description:
        'The `ETag` of the part that the client has. If the file has changed, the whole file is sent.',
      schema: { type: 'string' },
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description:
        'The `ETag` of the file that the client has. If the file is still the same, the response is 304.',
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 200, description: 'The bytes.', content: IMAGE_CONTENT }),
    ApiResponse({
      status: 206,
      description: 'The bytes that `Range` asks for.',
      headers: {
        'Content-Range': { schema: { type: 'string' }, description: 'For example `bytes 0-1023/81920`.' },
      },
      content: IMAGE_CONTENT,
    }),
    ApiResponse({
      status: 302,
      description:
        'Only if the service runs with `OBJECT_URLS=direct`: the bytes are at `Location`, a URL of the object store that expires with the signed URL, or after 5 minutes for a key.',
      headers: { Location: { schema: { type: 'string', format: 'uri' } } },
    }),
    ApiResponse({ status: 304, description: 'Not modified: the file still matches `If-None-Match`.' }),
    Problems('invalid_request', 'not_found', 'gone', 'range_not_satisfiable', ...KEY_PROBLEMS),
  );
}
