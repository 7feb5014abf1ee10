import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtension } from '@nestjs/swagger';

/** Operation member that carries the form until the OpenAPI document is finished. */
export const FORM_BODY = 'x-form-body';

/** A route that takes a JSON body or, with a file, `multipart/form-data`. Written to OpenAPI only. */
export const ApiJsonOrForm = (json: Type, form: Readonly<Record<string, unknown>>): MethodDecorator =>
  applyDecorators(
    ApiConsumes('application/json'),
    ApiBody({ type: json }),
    ApiExtension(FORM_BODY, { type: 'object', additionalProperties: false, ...form }),
  );

/** The part of a form that is the image. */
export const FILE_PART = { type: 'string', format: 'binary' } as const;
