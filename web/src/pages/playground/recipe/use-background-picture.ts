import { useEffect, useRef, useState } from 'react';
import { uploadPhoto } from '../../../api/uploads/upload.js';

/**
 * Uploads a background picture as soon as it is selected, because a job refers to it by its URL.
 * @param onStored called with the URL of the stored picture
 */
export function useBackgroundPicture(onStored: (sourceUrl: string) => void) {
  const [state, setState] = useState<{ isBusy: boolean; error: Error | null; name: string | null }>({
    isBusy: false,
    error: null,
    name: null,
  });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const store = async (file: File, signal: AbortSignal) => {
    try {
      const { url } = await uploadPhoto(file, { signal, onProgress: () => undefined });
      if (signal.aborted) return;
      setState({ isBusy: false, error: null, name: file.name });
      onStored(url);
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, isBusy: false, error: error as Error }));
    }
  };
  const start = (file: File) => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const { signal } = controller;
    setState((before) => ({ ...before, isBusy: true, error: null }));
    void store(file, signal);
  };
  return { ...state, start };
}
