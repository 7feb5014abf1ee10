import { detachBuffer } from './detach-buffer.js';

interface Loan {
  users: number;
  readonly onReturned: (buffer: ArrayBuffer) => void;
}

const loans = new WeakMap<ArrayBuffer, Loan>();

/**
 * Lends a buffer to several tiles, each of which has a view of it. A buffer that is never returned is
 * garbage-collected.
 * @param users number of views that will be returned
 * @param onReturned called with the buffer when the last view has been returned
 */
export function lendBuffer(buffer: ArrayBuffer, users: number, onReturned: Loan['onReturned']): void {
  loans.set(buffer, { users, onReturned });
}

/** Returns a view of a lent buffer. The buffer of any other view is freed at once; see `detachBuffer`. */
export function returnBuffer(view: Uint8Array<ArrayBuffer>): void {
  const { buffer } = view;
  const loan = loans.get(buffer);
  if (loan === undefined) {
    detachBuffer(view);
    return;
  }
  loan.users -= 1;
  if (loan.users > 0) return;
  loans.delete(buffer);
  loan.onReturned(buffer);
}
