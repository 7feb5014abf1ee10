import { useCallback, useRef } from 'react';
import { newIdempotencyKey } from './idempotency-key.js';

export interface OrderKey {
  /** The order, as JSON. */
  readonly text: string;
  readonly key: string;
}

/**
 * The idempotency key of an order. It is kept until the outcome is known, so that the order is never paid for twice.
 * @param kept the key of an order that was sent before this page was opened, and whose outcome is unknown
 */
export function useOrderKey(kept: OrderKey | null = null) {
  const known = useRef(kept);
  const keyOf = useCallback((order: unknown) => {
    const text = JSON.stringify(order);
    if (known.current?.text !== text) known.current = { text, key: newIdempotencyKey() };
    return known.current.key;
  }, []);
  const forget = useCallback(() => {
    known.current = null;
  }, []);
  const read = useCallback(() => known.current, []);
  return { keyOf, forget, read };
}
