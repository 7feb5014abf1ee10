import { useCallback, useEffect, useState } from 'react';
import type { Source } from 'image-enhancement-client';
import type { Photo } from './enhancement-state.js';

/** The chosen photo with an address under which this page can show it. */
export function usePhoto() {
  const [photo, setPhoto] = useState<Photo | null>(null);
  const previewUrl = photo?.previewUrl;
  useEffect(() => {
    if (previewUrl === undefined) return;
    return () => URL.revokeObjectURL(previewUrl);
  }, [previewUrl]);
  const choose = useCallback(
    (file: File) => setPhoto({ file, previewUrl: URL.createObjectURL(file), source: null }),
    [],
  );
  const clear = useCallback(() => setPhoto(null), []);
  const keepSource = useCallback(
    (file: File, source: Source) =>
      setPhoto((current) => (current?.file === file ? { ...current, source } : current)),
    [],
  );
  return { photo, choose, clear, keepSource };
}
