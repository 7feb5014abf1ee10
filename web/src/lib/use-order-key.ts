import { useCallback, useRef } from 'react';
import { newIdempotencyKey } from './idempotency-key.js';

/** The key under which an order is sent: kept until it is known what became of it, so that it is never paid twice. */
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
