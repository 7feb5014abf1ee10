import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newS3Client } from '../../src/infra/storage/s3/new-s3-client.js';
import { PART_BYTES, uploadFile } from '../../src/infra/storage/s3/upload-file.js';

const TIMEOUT_MS = 3_000;
/** How long the slow store reads slowly. Then it reads the rest at once. */
const SLOW_MS = TIMEOUT_MS + 1_000;
const CHUNK_PAUSE_MS = 40;
const TARGET = { Bucket: 'bucket', Key: 'results/job_1.png' };
const CREATED = '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>';
const COMPLETED = '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>';

describe('an upload to S3', () => {
  let folder: string;
  let server: Server;
  let client: S3Client;
  let bodyBytes: number;
  let read: (request: IncomingMessage) => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-uplink-'));
    bodyBytes = 0;
    server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
    const settings = {
      bucket: TARGET.Bucket,
      prefix: '',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      publicEndpoint: undefined,
      region: undefined,
      forcePathStyle: true,
      encryption: undefined,
      encryptionKeyId: undefined,
      directUrls: false,
    };
    client = newS3Client(settings, { maxAttempts: 1, timeoutMs: TIMEOUT_MS });
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('ETag', '"1"');
    if (request.method === 'PUT') {
      await read(request);
      response.end();
    } else response.end(request.url?.includes('uploads') === true ? CREATED : COMPLETED);
  }

  async function upload(sizeBytes: number): Promise<void> {
    const path = join(folder, 'file');
    await writeFile(path, '');
    await truncate(path, sizeBytes);
    await uploadFile(client, TARGET, path);
  }

  async function readSlowly(request: IncomingMessage): Promise<void> {
    const untilMs = performance.now() + SLOW_MS;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bodyBytes += chunk.length;
      if (performance.now() < untilMs) await sleep(CHUNK_PAUSE_MS);
    }
  }

  it.each([
    ['one request', PART_BYTES],
    ['parts', PART_BYTES + 1],
  ])(
    'in %s may take longer than any timeout while the store reads',
    async (_, sizeBytes) => {
      read = readSlowly;
      await upload(sizeBytes);
      expect(bodyBytes).toBe(sizeBytes);
    },
    60_000,
  );

  it('fails when the store stops reading', async () => {
    read = () => new Promise(() => undefined);
    await expect(upload(PART_BYTES)).rejects.toMatchObject({ name: 'TimeoutError' });
  }, 60_000);
});
