import { t } from '@lingui/core/macro';
import { useCallback, useState } from 'react';
import { useMaxPixels } from '../../../../api/session/session.js';
import { sizeFault, sortFiles, unreadableText } from '../../../../components/photo/photo-file.js';
import type { PhotoSize } from '../../../../components/photo/photo-size.js';
import { usePhoto } from '../../../../components/photo/use-photo.js';
import { usePhotoIntake } from '../../../../components/photo/use-photo-intake.js';

const NOTHING = { fault: null, note: null };

/** One photo that was dropped, pasted, or selected, and messages about the other files. */
export function useOnePhoto() {
  const { photo, choose, clear, keepSource, confirm } = usePhoto();
  const maxPixels = useMaxPixels();
  const [said, setSaid] = useState<{ readonly fault: string | null; readonly note: string | null }>(NOTHING);
  const take = useCallback(
    (files: readonly File[], folder: string | null = null, unread: readonly string[] = []) => {
      const { photos, refused } = sortFiles(files, folder, unread);
      const [file] = photos;
      if (file === undefined) return setSaid({ fault: refused[0]?.reason ?? null, note: null });
      choose(file);
      const count = files.length + unread.length;
      const note = count > 1 ? t`You added ${count} files. Using ${file.name}.` : null;
      setSaid({ fault: null, note });
    },
    [choose],
  );
  usePhotoIntake(take);
  const remove = (fault: string | null = null) => {
    clear();
    setSaid({ fault, note: null });
  };
  return {
    photo,
    said,
    take,
    remove,
    /** The file's content is not an image. */
    refuse: (name: string) => remove(unreadableText(name)),
    /** The browser has read the photo. */
    accept: (size: PhotoSize) => {
      const fault = photo === null ? null : sizeFault(photo.name, size, maxPixels);
      if (fault === null) confirm(photo?.file ?? null);
      else remove(fault);
    },
    keepSource,
    /** The upload no longer exists, so the next run sends the file again. */
    forgetSource: () => {
      if (photo?.file) choose(photo.file);
    },
  };
}

export type OnePhoto = ReturnType<typeof useOnePhoto>;
