import type { Type } from '@nestjs/common';
import type { FastifyRequest } from '../requests/request-context.js';
import { RequestValidationPipe } from './validation.pipe.js';

const pipe = new RequestValidationPipe();

/** Whether the body is JSON by its content type. */
export function isJson({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^\s*application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** Whether the body is a form by its content type. */
export function isForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * The JSON body of a route that also accepts other types and therefore has no `@Body()`.
 * @throws AppError the errors of RequestValidationPipe
 */
export async function validBody<T>({ body }: Pick<FastifyRequest, 'body'>, type: Type<T>): Promise<T> {
  return (await pipe.transform(body, { type: 'body', metatype: type })) as T;
}
