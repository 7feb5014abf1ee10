import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { S3Bucket } from './s3-bucket.js';

const OLD = '2020-01-01T00:00:00.000Z';
const listed = (key: string): string =>
  `<Upload><Key>${key}</Key><UploadId>of-${key}</UploadId><Initiated>${OLD}</Initiated></Upload>`;
const FIRST_PAGE = `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>
  <NextKeyMarker>results/a</NextKeyMarker><NextUploadIdMarker>of-results/a</NextUploadIdMarker>
  ${listed('backups/dump.tar.gz')}${listed('results/a')}</ListMultipartUploadsResult>`;
const LAST_PAGE = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>
  ${listed('sources/b')}</ListMultipartUploadsResult>`;

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

  it('reads all pages, and skips foreign uploads and those that were completed meanwhile', async () => {
    const bucket = new S3Bucket({
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
    await bucket.abortUploadsOlderThan(3_600_000);
    expect(aborted).toEqual(['/images/results/a', '/images/sources/b']);
  });
});
