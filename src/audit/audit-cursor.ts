import { AppError } from '../kernel/app-error.js';

/** The id of the event after which a page begins. @throws AppError `invalid_cursor` */
export function readAuditCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new AppError('invalid_cursor');
  return id;
}
