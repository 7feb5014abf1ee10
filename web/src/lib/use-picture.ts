import { useCallback, useState } from 'react';

/** A thumbnail is stored shortly after its result, so a page that reacts immediately may request it too early. */
const ASK_AGAIN_MS = 1_500;
const ATTEMPTS = 2;

export interface Picture {
  /** Use it as the `key` of the image, so that a new value reloads it. */
  readonly attempt: number;
  readonly isGone: boolean;
  readonly onError: () => void;
}

/** Tracks the loading of an image. If it fails, the image is requested once more before giving up. */
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
