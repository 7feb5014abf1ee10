import { useCallback, useState } from 'react';

/** A result's thumbnail is kept a moment after the result; a page that hears of it at once asks too early. */
const ASK_AGAIN_MS = 1_500;
const ATTEMPTS = 2;

export interface Picture {
  /** As the `key` of the image: another one loads it again. */
  readonly attempt: number;
  readonly isGone: boolean;
  readonly onError: () => void;
}

/** Follows the loading of an image: one that cannot be had is asked for once more, then given up. */
export function usePicture(url: string | null): Picture {
  const [failed, setFailed] = useState({ url, count: 0 });
  const count = failed.url === url ? failed.count : 0;
  const onError = useCallback(() => {
    const next = { url, count: count + 1 };
    if (next.count >= ATTEMPTS) setFailed(next);
    else setTimeout(() => setFailed(next), ASK_AGAIN_MS);
  }, [url, count]);
  return { attempt: count, isGone: url === null || count >= ATTEMPTS, onError };
}
