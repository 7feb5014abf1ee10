import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateMultipartUploadCommand, DeleteBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { S3ObjectStore } from '../../src/infra/storage/s3/s3-object-store.js';
import { isMachineFault } from '../../src/infra/storage/storage-fault.js';
import { FaultyNetwork } from '../support/storage/faulty-network.js';
import { missingS3Server, S3Server } from '../support/storage/s3-server.js';
import { openS3Bucket, openS3Store } from '../support/storage/s3-store.js';

const KEY = 'results/job_1.png';
const MB = 2 ** 20;
const RESULT_MB = 300;
const versitygw = missingS3Server('versitygw');

describe('an S3 store that fails', () => {
  let folder: string;
  let server: S3Server;
  let network: FaultyNetwork;
  let store: S3ObjectStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-faults-'));
    server = await S3Server.start();
    network = await FaultyNetwork.start(server.url);
    store = await openS3Store(server, {
      scratchDir: folder,
      endpoint: network.url,
      prefix: 'p/',
      encryption: 'AES256',
    });
  });
  afterEach(async () => {
    await store?.onApplicationShutdown();
    await network?.close();
    await server?.close();
    await rm(folder, { recursive: true });
  });

  it('is retried after 503 SlowDown', async () => {
    network.slowDown(2);
    await store.put(KEY, Buffer.from('kept'));
    expect(network.seen.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT']);
    network.slowDown(2);
    expect((await store.read(KEY)).toString()).toBe('kept');
  });

  it('says that its bucket does not exist', async () => {
    const s3 = server.client();
    await s3.send(new DeleteBucketCommand({ Bucket: server.bucket }));
    s3.destroy();
    const message = `the bucket ${server.bucket} does not exist`;
    await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable', message });
  });

  it('says why its credentials are refused, which the response to HEAD does not', async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'nobody';
    const message = expect.stringContaining('InvalidAccessKeyId (403) The AWS Access Key Id you provided');
    await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable', message });
  });

  it('does not list objects of other programs in its bucket', async () => {
    const s3 = server.client();
    const whole = await openS3Store(server, { scratchDir: folder, prefix: '' });
    for (const Key of ['backups/dump.tar.gz', 'production/installation', KEY])
      await s3.send(new PutObjectCommand({ Bucket: server.bucket, Key, Body: 'kept' }));
    const keys: string[] = [];
    for await (const key of whole.keysOlderThan(-60_000)) keys.push(key);
    expect(keys).toEqual([KEY]);
    await whole.onApplicationShutdown();
    s3.destroy();
  });

  it('receives each object with a checksum and a request for encryption', async () => {
    await store.put(KEY, Buffer.from('kept'));
    expect(network.seen[0]!.headers).toMatchObject({
      'x-amz-server-side-encryption': 'AES256',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-amz-checksum-crc32': expect.any(String),
    });
  });

  it(
    'stores objects while hundreds of slow readers hold a connection each',
    { timeout: 120_000 },
    async () => {
      await store.put(KEY, Buffer.alloc(300_000));
      const opened = [];
      for (let reader = 0; reader < 300; reader += 1) opened.push(await store.open(KEY));
      await store.put('results/job_2.png', Buffer.from('kept'));
      expect((await store.read('results/job_2.png')).toString()).toBe('kept');
      for (const { stream } of opened) stream.destroy();
    },
  );

  it('resumes a read at the byte where the connection broke', async () => {
    const data = randomBytes(3 * MB);
    await store.put(KEY, data);
    network.cutNextRead(1_000_000);
    expect((await store.read(KEY)).equals(data)).toBe(true);
    network.cutNextRead(300_000);
    const part = await store.open(KEY, () => ({ start: 1_000_000, end: 2_499_999 }));
    expect((await buffer(part.stream)).equals(data.subarray(1_000_000, 2_500_000))).toBe(true);
    const resumed = network.seen.find(({ headers }) => headers.range !== undefined);
    expect(resumed?.headers.range).toMatch(/^bytes=\d{6,7}-3145727$/);
  });

  it('is reported as a machine fault when overloaded, silent or gone, and leaves no spool file', async () => {
    const unavailable = { code: 'service_unavailable', retryAfterSeconds: 10 };
    network.slowDown(Number.POSITIVE_INFINITY);
    const refused = await store.put(KEY, Buffer.from('x')).catch((error: unknown) => error);
    expect(refused).toMatchObject(unavailable);
    expect(isMachineFault((refused as Error).cause)).toBe(true);
    network.slowDown(0);
    network.keepSilent(true);
    await expect(store.check()).rejects.toMatchObject(unavailable);
    network.keepSilent(false);
    await store.check();
    await server.cut();
    await expect(store.check()).rejects.toMatchObject(unavailable);
    await expect(store.read(KEY)).rejects.toMatchObject(unavailable);
    await expect(store.put(KEY, Buffer.from('x'))).rejects.toMatchObject(unavailable);
    const [own] = await readdir(folder);
    expect(await readdir(join(folder, own!, 'spool'))).toEqual([]);
    await server.mend();
    await expect(store.read(KEY)).rejects.toMatchObject({ code: 'gone' });
  });

  it('keeps the first installation ID that claims it', async () => {
    expect(await store.installationId()).toBeUndefined();
    await store.claimFor('first');
    await store.claimFor('second');
    expect(await store.installationId()).toBe('first');
  });
});

describe.skipIf(versitygw !== undefined)(
  'large objects in S3 (needs versitygw)',
  { timeout: 400_000 },
  () => {
    let folder: string;
    let server: S3Server;
    let store: S3ObjectStore;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 's3-large-'));
      server = await S3Server.start('versitygw');
      store = await openS3Store(server, { scratchDir: folder, prefix: 'p/' });
    });
    afterEach(async () => {
      await store?.onApplicationShutdown();
      await server?.close();
      await rm(folder, { recursive: true });
    });

    it('are streamed in parts with bounded memory', async () => {
      const chunk = randomBytes(MB);
      const before = process.memoryUsage().arrayBuffers;
      let peak = 0;
      const look = () => (peak = Math.max(peak, process.memoryUsage().arrayBuffers - before));
      const timer = setInterval(look, 5);
      const sent = createHash('sha256');
      const pending = await store.beginWrite();
      for (let index = 0; index < RESULT_MB; index += 1) {
        chunk.writeUInt32BE(index);
        sent.update(chunk);
        await pending.write(chunk);
      }
      await pending.commit(KEY);
      const received = createHash('sha256');
      const { stream, sizeBytes } = await store.open(KEY);
      expect(sizeBytes).toBe(RESULT_MB * MB);
      for await (const part of stream as AsyncIterable<Buffer>) {
        received.update(part);
        look();
      }
      clearInterval(timer);
      expect(received.digest('hex')).toBe(sent.digest('hex'));
      // Three parts of 8 MiB are in flight; the rest is memory not yet garbage-collected.
      expect(peak / MB).toBeLessThan(RESULT_MB / 2);
    });

    it('are aborted when their upload never completes', async () => {
      const s3 = server.client();
      const Key = `p/${KEY}`;
      await s3.send(new CreateMultipartUploadCommand({ Bucket: server.bucket, Key }));
      expect(await server.unfinishedUploads()).toEqual([Key]);
      await store.sweepTemporary(3_600_000);
      expect(await server.unfinishedUploads()).toEqual([Key]);
      const bucket = openS3Bucket(server, 'p/');
      await bucket.abortUploadsOlderThan(-60_000);
      expect(await server.unfinishedUploads()).toEqual([]);
      bucket.close();
      s3.destroy();
    });

    it('are left alone when another program started them', async () => {
      const s3 = server.client();
      const whole = openS3Bucket(server, '');
      for (const Key of ['backups/dump.tar.gz', KEY])
        await s3.send(new CreateMultipartUploadCommand({ Bucket: server.bucket, Key }));
      await whole.abortUploadsOlderThan(-60_000);
      expect(await server.unfinishedUploads()).toEqual(['backups/dump.tar.gz']);
      whole.close();
      s3.destroy();
    });
  },
);
