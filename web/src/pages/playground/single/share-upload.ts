import type { Source } from 'image-enhancement-client';
import type { UploadOptions, uploadPhoto } from '../../../api/uploads/upload.js';

interface Upload {
  readonly file: File;
  readonly source: Promise<Source>;
  readonly controller: AbortController;
  readonly waiting: Set<(share: number) => void>;
  share: number;
}

/**
 * Creates an upload that an estimate and a run share: whoever needs a photo that is already being sent waits for it
 * instead of sending it again. It is aborted when nobody waits for it anymore.
 */
export function shareUpload(send: typeof uploadPhoto): typeof uploadPhoto {
  let current: Upload | null = null;
  const begin = (file: File): Upload => {
    const controller = new AbortController();
    const onProgress = (share: number) => {
      upload.share = share;
      for (const tell of upload.waiting) tell(share);
    };
    const source = send(file, { signal: controller.signal, onProgress });
    const upload: Upload = { file, source, controller, waiting: new Set(), share: 0 };
    return upload;
  };
  return async (file, { signal, onProgress }: UploadOptions) => {
    signal.throwIfAborted();
    if (current?.file !== file) current = begin(file);
    const upload = current;
    const tell = (share: number) => onProgress(share);
    upload.waiting.add(tell);
    if (upload.share > 0) tell(upload.share);
    try {
      return await unlessAborted(upload.source, signal);
    } finally {
      upload.waiting.delete(tell);
      if (upload.waiting.size === 0) upload.controller.abort();
      // Once it has settled, the photo has its URL, or is sent again.
      if (current === upload && (upload.waiting.size === 0 || !signal.aborted)) current = null;
    }
  };
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
