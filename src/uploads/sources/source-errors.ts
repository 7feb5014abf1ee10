import { AppError } from '../../kernel/app-error.js';

export function sourceNotFound(id: string): AppError {
  return new AppError('not_found', { detail: `There is no source "${id}" in your account.` });
}

export function sourceDeleted(id: string): AppError {
  return new AppError('gone', { detail: `The source "${id}" was deleted.` });
}
