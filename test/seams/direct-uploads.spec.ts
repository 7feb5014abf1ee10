import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskObjectStore } from '../../src/infra/storage/disk-object-store.js';
import type { ObjectStore } from '../../src/infra/storage/object-store.js';
import { missingS3Server, S3_SERVERS, S3Server } from '../support/storage/s3-server.js';
import { openS3Store } from '../support/storage/s3-store.js';

const BYTES = new TextEncoder().encode('sent by a client');
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

for (const name of S3_SERVERS) {
  const missing = missingS3Server(name);
  describe.skipIf(missing !== undefined)(
    `direct upload URLs on ${name}${missing === undefined ? '' : ` (needs ${missing})`}`,
    () => {
      let server: S3Server;
      let folder: string;
      let store: ObjectStore;
      beforeAll(async () => {
        server = await S3Server.start(name);
        folder = await mkdtemp(join(tmpdir(), 'ies-direct-'));
        store = await openS3Store(server, { scratchDir: folder, directUrls: true });
      });
      afterAll(async () => {
        await store?.onApplicationShutdown();
        await server?.close();
        await rm(folder, { recursive: true, force: true });
      });

      const put = async (url: string, body: Uint8Array<ArrayBuffer>): Promise<number> =>
        (await fetch(url, { method: 'PUT', body })).status;

      it('accept an object of the declared size and add it to the store', async () => {
        const link = { expiresAt: inSeconds(60), sizeBytes: BYTES.length };
        const address = await store.directUploadUrl('incoming/one', link);
        expect(address!.headers).toEqual({});
        expect(await put(address!.url, BYTES)).toBe(200);
        expect((await store.read('incoming/one')).toString()).toBe('sent by a client');
      });

      // s3rver checks neither; the service compares the size when an upload is completed.
      if (name !== 's3rver') {
        it('reject another size and another key', async () => {
          const link = { expiresAt: inSeconds(60), sizeBytes: BYTES.length };
          const { url } = (await store.directUploadUrl('incoming/two', link))!;
          expect(await put(url, BYTES.slice(1))).toBe(403);
          expect(await put(url.replace('incoming/two', 'incoming/three'), BYTES)).toBe(403);
          for (const key of ['incoming/two', 'incoming/three'])
            await expect(store.read(key)).rejects.toMatchObject({ code: 'gone' });
        });
      }

      it('exist only where clients can reach the store', async () => {
        const hidden = await openS3Store(server, { scratchDir: join(folder, 'hidden') });
        const link = { expiresAt: inSeconds(60), sizeBytes: 1 };
        expect(await hidden.directUploadUrl('incoming/four', link)).toBeUndefined();
        await hidden.onApplicationShutdown();
      });
    },
  );
}

it('a folder on disk has no direct upload URLs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ies-direct-'));
  const store = await DiskObjectStore.open(join(folder, 'objects'));
  expect(await store.directUploadUrl()).toBeUndefined();
  await rm(folder, { recursive: true, force: true });
});
