import type { CreateJob } from 'image-enhancement-client';
import { USER_STORAGE } from '../../../api/session/user-storage.js';
import type { OrderKey } from '../../../lib/use-order-key.js';

const KEY = USER_STORAGE.sentOrder;

/** The order of this tab whose response has not arrived, so that it is not paid for twice after a visit elsewhere. */
export const sentOrder = {
  read: (): OrderKey | null => {
    const text = sessionStorage.getItem(KEY);
    return text === null ? null : (JSON.parse(text) as OrderKey);
  },
  keep: (sent: OrderKey): void => sessionStorage.setItem(KEY, JSON.stringify(sent)),
  /** Forgets it once its response has arrived, unless another order was sent in the meantime. */
  answered: (key: string): void => {
    if (sentOrder.read()?.key === key) sentOrder.forget();
  },
  forget: (): void => sessionStorage.removeItem(KEY),
};

/** The order without the signature of its photo, which is another one each time the photo is read. */
export function unsigned(order: CreateJob): CreateJob {
  return { ...order, sourceUrl: order.sourceUrl.split('?', 1)[0]! };
}
