import { AppError } from '../../kernel/app-error.js';

/** @param field of the request that names the source */
export function sourceNotFound(id: string, field?: string): AppError {
  return sourceError('not_found', `There is no source "${id}" in your account.`, field);
}

/** @param field of the request that names the source */
export function sourceDeleted(id: string, field?: string): AppError {
  return sourceError('gone', `The source "${id}" was deleted.`, field);
}

function sourceError(code: 'not_found' | 'gone', detail: string, field: string | undefined): AppError {
  return new AppError(code, {
    detail,
    ...(field !== undefined && { errors: [{ field, code, message: detail }] }),
  });
}
