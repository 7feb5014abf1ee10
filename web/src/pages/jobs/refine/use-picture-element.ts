import { useEffect, useState } from 'react';

export type LoadedPicture = HTMLImageElement | 'loading' | 'failed' | null;

/**
 * Loads a picture, to read its size and to draw it.
 * @param url null for no picture
 * @param attempt another number loads it again
 */
export function usePictureElement(url: string | null, attempt = 1): LoadedPicture {
  const [loaded, setLoaded] = useState<{
    readonly url: string;
    readonly attempt: number;
    readonly picture: HTMLImageElement | 'failed';
  } | null>(null);
  useEffect(() => {
    if (url === null) return;
    let isWanted = true;
    const picture = new Image();
    picture.src = url;
    picture.decode().then(
      () => isWanted && setLoaded({ url, attempt, picture }),
      () => isWanted && setLoaded({ url, attempt, picture: 'failed' }),
    );
    return () => {
      isWanted = false;
    };
  }, [url, attempt]);
  if (url === null) return null;
  return loaded?.url === url && loaded.attempt === attempt ? loaded.picture : 'loading';
}
