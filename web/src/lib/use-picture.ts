import { type RefCallback, useCallback, useState } from 'react';

/** A thumbnail is stored shortly after its result, so a page that reacts immediately may request it too early. */
const ASK_AGAIN_MS = 1_500;
const ATTEMPTS = 2;

export interface Picture {
  /** Use it as the `key` of the image, so that a new value reloads it. */
  readonly attempt: number;
  /** For the image. Cancels its download when it is removed. */
  readonly ref: RefCallback<HTMLImageElement>;
  readonly isGone: boolean;
  readonly onError: () => void;
}

/** Tracks the download of an image. If it fails, the image is requested once more before giving up. */
export function usePicture(url: string | null): Picture {
  const [failed, setFailed] = useState({ url, count: 0 });
  const count = failed.url === url ? failed.count : 0;
  const onError = useCallback(() => {
    const next = { url, count: count + 1 };
    if (next.count >= ATTEMPTS) setFailed(next);
    else setTimeout(() => setFailed(next), ASK_AGAIN_MS);
  }, [url, count]);
  return { attempt: count, ref: cancelWhenRemoved, isGone: url === null || count >= ATTEMPTS, onError };
}

/**
 * Browsers continue to download a removed image. Over HTTP/1.1, a few images that the service is still creating would
 * occupy all connections and delay the images that replace them.
 */
function cancelWhenRemoved(image: HTMLImageElement | null): (() => void) | undefined {
  if (image === null) return undefined;
  return () =>
    // React removes the image after this cleanup, which strict mode also calls for images that stay.
    queueMicrotask(() => {
      if (!image.isConnected) image.removeAttribute('src');
    });
}
