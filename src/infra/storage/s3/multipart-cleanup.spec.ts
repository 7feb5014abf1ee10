import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { S3Bucket } from './s3-bucket.js';
import { S3ObjectStore } from './s3-object-store.js';
import type { S3Settings } from './s3-settings.js';

const OLD = new Date('2020-01-01');
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
const listed = (key: string, since = OLD): string =>
  `<Upload><Key>${key}</Key><UploadId>of-${key}</UploadId><Initiated>${since.toISOString()}</Initiated></Upload>`;
const FIRST_PAGE = `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>
  <NextKeyMarker>results/a</NextKeyMarker><NextUploadIdMarker>of-results/a</NextUploadIdMarker>
  ${listed('backups/dump.tar.gz')}${listed('results/a')}</ListMultipartUploadsResult>`;
const LAST_PAGE = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>
  ${listed('sources/b')}${listed('results/slow', hoursAgo(23))}${listed('results/lost', hoursAgo(25))}
  </ListMultipartUploadsResult>`;

/** Responds as S3 does with more uploads than fit on a page, whose first one has just been completed. */
describe('the cleanup of multipart uploads', () => {
  let server: Server;
  let aborted: string[];

  beforeEach(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id').stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    aborted = [];
    server = createServer(({ method, url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://s3.example');
      if (method === 'GET') {
        response.end(searchParams.get('key-marker') === 'results/a' ? LAST_PAGE : FIRST_PAGE);
        return;
      }
      aborted.push(pathname);
      const isGone = pathname.endsWith('/results/a');
      response.writeHead(isGone ? 404 : 204).end(isGone ? '<Error><Code>NoSuchUpload</Code></Error>' : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });

  const settings = (): S3Settings => ({
    bucket: 'images',
    prefix: '',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicEndpoint: undefined,
    region: 'us-east-1',
    forcePathStyle: true,
    encryption: undefined,
    encryptionKeyId: undefined,
    directUrls: false,
  });

  it('reads all pages, and skips foreign uploads and those that were completed meanwhile', async () => {
    await new S3Bucket(settings()).abortUploadsOlderThan(86_400_000);
    expect(aborted).toEqual(['/images/results/a', '/images/sources/b', '/images/results/lost']);
  });

  it('leaves uploads alone that may be in progress, however short the life of local files is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'multipart-cleanup-'));
    const store = await S3ObjectStore.open(settings(), folder);
    try {
      await store.sweepTemporary(3_600_000);
      expect(aborted).toContain('/images/results/lost');
      expect(aborted).not.toContain('/images/results/slow');
    } finally {
      await store.onApplicationShutdown();
      await rm(folder, { recursive: true });
    }
  });
});
