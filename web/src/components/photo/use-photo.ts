import { useCallback, useEffect, useState } from 'react';
import type { Source } from 'image-enhancement-client';
import { localPath } from '../../lib/file-path.js';

export interface Photo {
  /** Null for the photo of a job from before a reload. */
  readonly file: File | null;
  readonly name: string;
  readonly previewUrl: string;
  /** Set after the upload, so that a second run need not send the photo again. */
  readonly sourceUrl: string | null;
  /** Whether the browser could decode the photo. A run waits for this. */
  readonly isReadable: boolean;
}

/** The chosen photo, with a URL under which this page can show it. */
export function usePhoto() {
  const [photo, setPhoto] = useState<Photo | null>(null);
  const ownUrl = photo?.file === null ? undefined : photo?.previewUrl;
  useEffect(() => {
    if (ownUrl === undefined) return;
    return () => URL.revokeObjectURL(ownUrl);
  }, [ownUrl]);
  const choose = useCallback(
    (file: File) =>
      setPhoto({
        file,
        name: file.name,
        previewUrl: URL.createObjectURL(file),
        sourceUrl: null,
        isReadable: false,
      }),
    [],
  );
  /** A photo that is stored, without its file. */
  const restore = useCallback(
    (sourceUrl: string, name: string | null) =>
      setPhoto({
        file: null,
        name: name ?? 'photo',
        previewUrl: localPath(sourceUrl),
        sourceUrl,
        isReadable: true,
      }),
    [],
  );
  const clear = useCallback(() => setPhoto(null), []);
  const change = useCallback(
    (file: File | null, changes: Partial<Photo>) =>
      setPhoto((current) => (current?.file === file ? { ...current, ...changes } : current)),
    [],
  );
  const keepSource = useCallback(
    (file: File | null, { url }: Pick<Source, 'url'>) => change(file, { sourceUrl: url }),
    [change],
  );
  const confirm = useCallback((file: File | null) => change(file, { isReadable: true }), [change]);
  return { photo, choose, restore, clear, keepSource, confirm };
}
