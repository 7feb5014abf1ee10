import { useEffect, useState } from 'react';
import type { Source } from 'image-enhancement-client';
import type { uploadPhoto } from '../../../api/uploads/upload.js';
import type { Photo } from '../../../components/photo/use-photo.js';

interface Storing {
  readonly file: File;
  readonly controller: AbortController;
  readonly error: Error | null;
}

/**
 * Uploads the chosen photo before its run, because an estimate requires it. Stops when another photo is chosen.
 * @param onStored called with the photo's file and the stored source
 */
export function usePhotoStoring(
  photo: Photo | null,
  upload: typeof uploadPhoto,
  onStored: (file: File, source: Source) => void,
) {
  const [storing, setStoring] = useState<Storing | null>(null);
  const file = photo?.file ?? null;
  const controller = storing?.controller;
  const isCurrent = storing !== null && storing.file === file;
  useEffect(() => {
    if (!isCurrent) controller?.abort();
  }, [controller, isCurrent]);
  useEffect(() => () => controller?.abort(), [controller]);
  const start = async () => {
    if (file === null) return;
    const begun: Storing = { file, controller: new AbortController(), error: null };
    const { signal } = begun.controller;
    const end = (error: Error | null) =>
      setStoring((now) => (now?.controller === begun.controller ? error && { ...begun, error } : now));
    setStoring(begun);
    try {
      onStored(file, await upload(file, { signal, onProgress: () => undefined }));
      end(null);
    } catch (error) {
      end(signal.aborted ? null : (error as Error));
    }
  };
  return {
    isBusy: isCurrent && storing.error === null,
    /** Why the photo could not be stored. */
    error: isCurrent ? storing.error : null,
    start: () => void start(),
    forgetError: () => setStoring((now) => (now?.error == null ? now : null)),
  };
}
