import { hasMoreMembers } from '../../common/validation/json-members.js';
import { tooManyMembers } from '../../common/validation/request-body.js';

/**
 * Refuses a body with more than `limit` fields before it is parsed, because each field takes far more memory than its
 * text.
 * @throws AppError `invalid_request`
 */
export function refuseWideBody(text: string, isUrlEncoded: boolean, limit: number): void {
  if (isUrlEncoded ? hasMoreFields(text, limit) : hasMoreMembers(text, limit))
    throw tooManyMembers('body', limit);
}

/** Stops at the limit. */
function hasMoreFields(text: string, limit: number): boolean {
  let at = -1;
  for (let fields = 1; fields <= limit; fields += 1) {
    at = text.indexOf('&', at + 1);
    if (at === -1) return false;
  }
  return true;
}
