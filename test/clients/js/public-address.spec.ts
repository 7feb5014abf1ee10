import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resultAddress } from '../../../clients/js/src/files/result-address.js';
import { ImageEnhancement } from '../../../clients/js/src/node.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { FlowService } from '../../support/roles/flow-service.js';

const SIGNED = '?exp=1800086400&sig=0a1b';
const BASE = 'http://10.0.0.5:3000/behind';
/** A host name that never resolves, by definition. */
const PUBLIC = 'http://images.invalid:1/base';
const DATA = Buffer.alloc(1000, 'an image');

describe('the URL that a result is read from', () => {
  it.each(['http://localhost:3000', 'https://images.example/base', 'http://[::1]:9', 'HTTP://X/files/files'])(
    'uses the base URL of the client for files of the service, even if its public URL is %s',
    (publicUrl) => {
      expect(resultAddress(`${publicUrl}/files/job_1.png${SIGNED}`, BASE)).toBe(
        `${BASE}/files/job_1.png${SIGNED}`,
      );
    },
  );

  it.each([
    'https://bucket.example/results/job_1.png?X-Amz-Signature=aa',
    'https://bucket.example/files/job_1.png?X-Amz-Signature=aa',
    'https://bucket.example/files/job_1.png',
    `https://bucket.example:444/files/other.png${SIGNED}`,
    `https://bucket.example/results/job_1.png${SIGNED}`,
    `https://bucket.example/files/more/job_1.png${SIGNED}`,
  ])('is %s unchanged', (url) => {
    expect(resultAddress(url, BASE)).toBe(url);
  });

  it.each(['', 'files/job_1.png', 'file:///etc/passwd', 'data:,x', 'http://h:99999/x'])(
    'cannot be %j',
    (url) => {
      expect(() => resultAddress(url, BASE)).toThrow(expect.objectContaining({ code: 'invalid_result_url' }));
    },
  );
});

describe('a result on another server', () => {
  let seen: { url: string; headers: IncomingHttpHeaders }[];
  let statuses: number[];
  const store = createServer((request, response) => {
    seen.push({ url: request.url!, headers: request.headers });
    response.writeHead(statuses.shift() ?? 200).end(DATA);
  });
  let resultUrls: string[];
  const service = createServer((request, response) => {
    if (!request.url!.startsWith('/api/')) {
      response.writeHead(404).end();
      return;
    }
    const result = { sha256: createHash('sha256').update(DATA).digest('hex'), format: 'png' };
    const resultUrl = resultUrls.length > 1 ? resultUrls.shift() : resultUrls[0];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'job_1', status: 'completed', resultUrl, result }));
  });
  const portOf = (server: typeof store) => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    for (const server of [store, service]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
  });
  beforeEach(() => {
    seen = [];
    statuses = [];
  });
  afterAll(() => {
    for (const server of [store, service]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const resultAt = (...paths: string[]) => {
    resultUrls = paths.map((path) => `http://127.0.0.1:${portOf(store)}${path}`);
    const client = new ImageEnhancement({
      baseUrl: `http://127.0.0.1:${portOf(service)}`,
      apiKey: 'ies_secret',
      headers: { 'x-own': 'ies_secret' },
    });
    return client.result('job_1');
  };

  it('is read without the API key', async () => {
    const path = '/files/job_1.png?X-Amz-Expires=60&X-Amz-Signature=a%2Fb';
    const result = await resultAt(path);
    expect(DATA.equals(await result.bytes())).toBe(true);
    expect(seen.map(({ url }) => url)).toEqual([path]);
    expect(JSON.stringify(seen)).not.toContain('ies_secret');
  });

  it('is read from a new URL when the old one has expired', async () => {
    // The event stream is tried first but gets JSON here, so the job is read twice before the file.
    const result = await resultAt('/a?signature=old', '/a?signature=old', '/a?signature=new');
    statuses = [403];
    expect(DATA.equals(await result.bytes())).toBe(true);
    expect(seen.map(({ url }) => url)).toEqual(['/a?signature=old', '/a?signature=new']);
  });
});

describe('a service whose public host name does not resolve', () => {
  let service: FlowService;
  beforeAll(async () => {
    service = await FlowService.start({ models: ['upscale'], env: { PUBLIC_URL: PUBLIC } });
  });
  afterAll(() => service?.close());

  it('still delivers its results', async () => {
    const { account } = await service.client();
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key, maxRetries: 0 });
    const result = await client.enhance(await smallPhoto(), { operation: 'upscale', level: 'low' });
    expect(result.url).toMatch(new RegExp(`^${PUBLIC}/files/job_`));
    const bytes = await result.bytes();
    expect(bytes).toHaveLength(result.info.bytes);
    // Unchanged, for clients that can resolve the name.
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ resultUrl: result.url });
  });
});
