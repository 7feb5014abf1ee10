import { useCallback, useRef } from 'react';
import { newIdempotencyKey } from './idempotency-key.js';

/**
 * The idempotency key of an order. It is kept until the outcome is known, so that the order is never paid for twice.
 */
export function useOrderKey() {
  const known = useRef<{ readonly text: string; readonly key: string } | null>(null);
  const keyOf = useCallback((order: unknown) => {
    const text = JSON.stringify(order);
    if (known.current?.text !== text) known.current = { text, key: newIdempotencyKey() };
    return known.current.key;
  }, []);
  const forget = useCallback(() => {
    known.current = null;
  }, []);
  return { keyOf, forget };
}
