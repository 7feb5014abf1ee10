import { useMutation } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';
import { useEffect, useRef, useState } from 'react';
import { useStartComparison } from '../../../../api/operator/comparisons.js';
import type { CompareVersions } from '../../../../api/operator/schema.js';
import { uploadPhoto } from '../../../../api/uploads/upload.js';
import type { Photo } from '../../../../components/photo/use-photo.js';
import type { OnePhoto } from './use-one-photo.js';

const NOT_FOUND = 404;

/** The comparison to create. The photo is uploaded unless it already was. */
interface Wanted extends Omit<CompareVersions, 'sourceUrl'> {
  readonly photo: Photo;
}

/** Uploads the photo, then creates the comparison. Leaving the page aborts the upload. */
export function useNewComparison(
  operation: string,
  { keepSource, forgetSource }: Pick<OnePhoto, 'keepSource' | 'forgetSource'>,
  onCreated: (id: string) => void,
) {
  const start = useStartComparison(operation);
  const [share, setShare] = useState(1);
  const upload = useRef<AbortController | null>(null);
  useEffect(() => () => upload.current?.abort(), []);
  const stored = async ({ file, sourceUrl }: Photo): Promise<string> => {
    if (sourceUrl !== null || file === null) return sourceUrl ?? '';
    upload.current = new AbortController();
    setShare(0);
    try {
      const source = await uploadPhoto(file, { signal: upload.current.signal, onProgress: setShare });
      keepSource(file, source);
      return source.url;
    } finally {
      setShare(1);
    }
  };
  const run = useMutation({
    mutationFn: async ({ photo, ...wanted }: Wanted) =>
      start.mutateAsync({ ...wanted, sourceUrl: await stored(photo) }),
    onSuccess: ({ id }) => onCreated(id),
    onError: (error) => {
      if (error instanceof ApiError && error.status === NOT_FOUND) forgetSource();
    },
  });
  return { run, share };
}
