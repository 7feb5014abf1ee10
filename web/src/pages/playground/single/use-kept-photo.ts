import { useCallback, useEffect, useRef } from 'react';
import type { Photo, usePhoto } from '../../../components/photo/use-photo.js';
import { useChosenPhotos } from '../chosen-photos.js';

/**
 * Keeps the photo while the user visits other pages, and shows it again after that.
 * @param isWanted false when something else must be shown; must not change
 */
export function useKeptPhoto(
  { photo, choose, restore, keepSource }: ReturnType<typeof usePhoto>,
  isWanted: boolean,
) {
  const chosen = useChosenPhotos();
  const first = useRef({ chosen, choose, restore, keepSource });
  useEffect(() => {
    const kept = isWanted ? first.current.chosen.read() : null;
    if (kept?.kind !== 'one') return;
    const { file, name, sourceUrl } = kept.photo;
    if (file !== null) first.current.choose(file);
    else if (sourceUrl !== null) first.current.restore(sourceUrl, name);
    if (file !== null && sourceUrl !== null) first.current.keepSource(file, { url: sourceUrl });
  }, [isWanted]);
  useEffect(() => {
    if (photo !== null) chosen.keep({ kind: 'one', photo });
  }, [chosen, photo]);
  /** Forgets a photo unless another one was chosen in the meantime. @returns whether it is forgotten */
  const forgetSame = useCallback(
    ({ file, sourceUrl }: Photo) => {
      const kept = chosen.read();
      // An earlier job of the same photo has already replaced it.
      if (kept === null) return true;
      if (kept.kind !== 'one' || kept.photo.file !== file) return false;
      if (file === null && kept.photo.sourceUrl !== sourceUrl) return false;
      chosen.forget();
      return true;
    },
    [chosen],
  );
  return { forget: chosen.forget, forgetSame };
}
