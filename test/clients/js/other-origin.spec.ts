import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../support/browser/browser.js';
import { CLIENT, ensureClientBuild } from '../../support/clients/client-build.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { FlowService } from '../../support/roles/flow-service.js';

const PAGE = `<!doctype html><script type="module">
import * as library from '/dist/esm/index.js';
Object.assign(globalThis, { library });
</script>`;

/** A page on another site that contains the client and calls the service across origins. */
describe('the JavaScript client in a page of another origin', () => {
  let service: FlowService;
  let browser: TestBrowser;
  const site = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site');
    if (pathname === '/') response.setHeader('content-type', 'text/html').end(PAGE);
    else {
      readFile(join(CLIENT, pathname)).then(
        (body) => response.setHeader('content-type', 'text/javascript').end(body),
        () => response.writeHead(404).end(),
      );
    }
  });
  const siteAs = (host: string) => `http://${host}:${(site.address() as AddressInfo).port}`;

  beforeAll(async () => {
    await ensureClientBuild();
    site.listen(0);
    await once(site, 'listening');
    service = await FlowService.start({ models: ['upscale'], env: { CORS_ORIGINS: siteAs('127.0.0.1') } });
    browser = await openBrowser({ width: 400, height: 300 });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    site.closeAllConnections();
    site.close();
  });

  const open = async (origin: string) => {
    const page = await browser.context.newPage();
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => 'library' in globalThis);
    return page;
  };

  it('works fully, including reading response headers', async () => {
    const { account } = await service.client({ rpm: 60 });
    const page = await open(siteAs('127.0.0.1'));
    const given = {
      baseUrl: service.baseUrl,
      apiKey: account.key,
      photo: Array.from(await smallPhoto()),
    };
    const seen = await page.evaluate(async ({ photo, ...options }) => {
      const { library } = globalThis as unknown as {
        library: typeof import('../../../clients/js/src/index.js');
      };
      const streams: string[] = [];
      const counted: typeof fetch = async (input, init) => {
        const answer = await fetch(input, init);
        if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) streams.push('one');
        return answer;
      };
      const client = new library.ImageEnhancement({ ...options, fetch: counted, maxRateLimitWaitMs: 0 });
      const phases: string[] = [];
      const result = await client.enhance(new Uint8Array(photo), {
        operation: 'upscale',
        level: 'low',
        onProgress: ({ phase }) => phases.push(phase),
      });
      const bytes = await result.bytes();
      const unknown = await client.jobs.get('job_unknown').catch((error: unknown) => error);
      await client.jobs.delete(result.job.id);
      const useUp = async (): Promise<unknown> => {
        try {
          for (;;) await client.usage();
        } catch (error) {
          return error;
        }
      };
      const { name, retryAfterSeconds } = (await useUp()) as InstanceType<typeof library.RateLimitError>;
      return {
        width: result.info.width,
        whole: bytes.length === result.info.bytes,
        last: phases.at(-1),
        streams: streams.length,
        requestId: (unknown as InstanceType<typeof library.NotFoundError>).requestId,
        name,
        retryAfterSeconds,
      };
    }, given);
    expect(seen).toMatchObject({ width: 96, whole: true, last: 'completed', name: 'RateLimitError' });
    expect(seen.streams).toBeGreaterThan(0);
    expect(seen.requestId).toMatch(/^req_/);
    // Only a response header contains it, which the service must expose to the page.
    expect(seen.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('fails on a page whose origin is not allowed', async () => {
    const { account } = await service.client();
    // The same site under another name is a different origin.
    const page = await open(siteAs('localhost'));
    const failed = await page.evaluate(
      async (options) => {
        const { library } = globalThis as unknown as {
          library: typeof import('../../../clients/js/src/index.js');
        };
        const client = new library.ImageEnhancement({ ...options, maxRetries: 0 });
        return client.usage().catch(({ name, message }: Error) => ({ name, message }));
      },
      { baseUrl: service.baseUrl, apiKey: account.key },
    );
    expect(failed).toMatchObject({ name: 'ConnectionError', message: expect.stringMatching(/CORS_ORIGINS/) });
  });
});
