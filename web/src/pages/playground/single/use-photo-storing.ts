import { useEffect, useRef, useState } from 'react';
import type { Source } from 'image-enhancement-client';
import { uploadPhoto } from '../../../api/uploads/upload.js';
import type { Photo } from '../../../components/photo/use-photo.js';

/**
 * Uploads the chosen photo before its run, because an estimate requires it.
 * @param onStored called with the photo's file and the stored source
 */
export function usePhotoStoring(photo: Photo | null, onStored: (file: File, source: Source) => void) {
  const [isBusy, setIsBusy] = useState(false);
  const current = useRef<AbortController | null>(null);
  const file = photo?.file;
  useEffect(() => () => current.current?.abort(), []);
  const start = () => {
    if (!file) return;
    const controller = new AbortController();
    current.current = controller;
    setIsBusy(true);
    uploadPhoto(file, { signal: controller.signal, onProgress: () => undefined })
      .then((source) => onStored(file, source))
      // The run sends it again and reports the error.
      .catch(() => undefined)
      .finally(() => setIsBusy(false));
  };
  return { isBusy, start };
}
