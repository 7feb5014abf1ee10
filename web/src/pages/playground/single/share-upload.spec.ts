import { getEventListeners } from 'node:events';
import type { Source } from 'image-enhancement-client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UploadOptions } from '../../../api/uploads/upload.js';
import { shareUpload } from './share-upload.js';

const FILE = new File(['a'], 'a.jpg');
const SOURCE = { url: 'https://images.test/files/src_1.jpg' } as Source;

interface Sent extends UploadOptions {
  readonly file: File;
  readonly end: (source: Source) => void;
  readonly fail: (error: Error) => void;
}

describe('shareUpload', () => {
  let sent: Sent[];
  let upload: ReturnType<typeof shareUpload>;
  const nothing = () => undefined;
  const signalOf = () => new AbortController().signal;

  beforeEach(() => {
    sent = [];
    upload = shareUpload(
      (file, options) =>
        new Promise((end, fail) => {
          sent.push({ ...options, file, end, fail });
          options.signal.addEventListener('abort', () => fail(options.signal.reason as Error));
        }),
    );
  });

  it('sends a photo once for all who wait for it, and tells each the progress', async () => {
    const shares: number[] = [];
    const signal = signalOf();
    const first = upload(FILE, { signal: signalOf(), onProgress: nothing });
    sent[0]!.onProgress(0.5);
    const second = upload(FILE, { signal, onProgress: (share) => shares.push(share) });
    sent[0]!.onProgress(0.75);
    sent[0]!.end(SOURCE);
    expect(await Promise.all([first, second])).toEqual([SOURCE, SOURCE]);
    expect(shares).toEqual([0.5, 0.75]);
    expect(sent).toHaveLength(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('goes on for the others when one gives up, and ends when nobody waits', async () => {
    const [estimate, run] = [new AbortController(), new AbortController()];
    const first = upload(FILE, { signal: estimate.signal, onProgress: nothing });
    const second = upload(FILE, { signal: run.signal, onProgress: nothing });
    run.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    expect(sent[0]!.signal.aborted).toBe(false);
    const third = upload(FILE, { signal: signalOf(), onProgress: nothing });
    expect(sent).toHaveLength(1);
    sent[0]!.end(SOURCE);
    expect(await Promise.all([first, third])).toEqual([SOURCE, SOURCE]);

    const alone = new AbortController();
    const fourth = upload(FILE, { signal: alone.signal, onProgress: nothing });
    alone.abort(new Error('left'));
    await expect(fourth).rejects.toThrow('left');
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  it('sends a photo again after a failure, and another photo at once', async () => {
    const first = upload(FILE, { signal: signalOf(), onProgress: nothing });
    sent[0]!.fail(new Error('no room'));
    await expect(first).rejects.toThrow('no room');
    const again = upload(FILE, { signal: signalOf(), onProgress: nothing });
    const other = upload(new File(['b'], 'b.jpg'), { signal: signalOf(), onProgress: nothing });
    expect(sent.map(({ file }) => file.name)).toEqual(['a.jpg', 'a.jpg', 'b.jpg']);
    sent[2]!.end(SOURCE);
    sent[1]!.end(SOURCE);
    expect(await Promise.all([again, other])).toEqual([SOURCE, SOURCE]);
  });
});
