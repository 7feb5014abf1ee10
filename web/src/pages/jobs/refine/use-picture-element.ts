import { useEffect, useState } from 'react';

export type LoadedPicture = HTMLImageElement | 'loading' | 'failed' | null;

/** Loads a picture, to read its size and to draw it. @param url null for no picture */
export function usePictureElement(url: string | null): LoadedPicture {
  const [loaded, setLoaded] = useState<{
    readonly url: string;
    readonly picture: HTMLImageElement | 'failed';
  } | null>(null);
  useEffect(() => {
    if (url === null) return;
    let isWanted = true;
    const picture = new Image();
    picture.src = url;
    picture.decode().then(
      () => isWanted && setLoaded({ url, picture }),
      () => isWanted && setLoaded({ url, picture: 'failed' }),
    );
    return () => {
      isWanted = false;
    };
  }, [url]);
  if (url === null) return null;
  return loaded?.url === url ? loaded.picture : 'loading';
}
