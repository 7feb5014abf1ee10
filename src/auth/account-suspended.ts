import { AppError } from '../kernel/app-error.js';

/** The 403 of a suspended account. @param reason of the operator, for the customer; may be empty */
export function accountSuspended(reason: string): AppError {
  const because = reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`;
  return new AppError('account_suspended', {
    detail: `This account is suspended${because}. Contact the operator of this service.`,
  });
}
