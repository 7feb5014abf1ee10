import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../../clients/js/src/node.js';
import {
  scriptedProblem,
  type ScriptedReply,
  ScriptedService,
} from '../../../support/clients/scripted-service.js';

const WHAT = 'GET /api/ai/batches/bat_1/results.zip';
const WHOLE = Buffer.alloc(200_000, 'an archive');
/** Bytes that a later process downloads again. */
const REREAD = 65_536;

/** The archive, or the requested part of it, up to a byte. */
const archive =
  (endByte = WHOLE.length, shiftBytes = 0, etag = '"1"'): ScriptedReply =>
  (request, response) => {
    const [, text] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const start = text === undefined ? 0 : Number(text) + shiftBytes;
    response.writeHead(text === undefined ? 200 : 206, {
      etag,
      'content-type': 'application/zip',
      'content-length': WHOLE.length - start,
      ...(text === undefined
        ? {}
        : { 'content-range': `bytes ${start}-${WHOLE.length - 1}/${WHOLE.length}` }),
    });
    response.write(WHOLE.subarray(start, endByte), () => {
      if (endByte === WHOLE.length) response.end();
      else response.destroy();
    });
  };
/** The archive from its start, whatever the request asks for, and broken off at a byte. */
const whole =
  (endByte = WHOLE.length, etag = '"1"', totalBytes = WHOLE.length): ScriptedReply =>
  (_request, response) => {
    response.writeHead(200, { etag, 'content-type': 'application/zip', 'content-length': totalBytes });
    response.write(WHOLE.subarray(0, endByte), () => {
      if (endByte === totalBytes) response.end();
      else response.destroy();
    });
  };
/** Less than the rest that was asked for, which a server may send. */
const portion =
  (endByte: number): ScriptedReply =>
  (request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]);
    response.writeHead(206, {
      etag: '"1"',
      'content-type': 'application/zip',
      'content-length': endByte - start,
      'content-range': `bytes ${start}-${endByte - 1}/${WHOLE.length}`,
    });
    response.end(WHOLE.subarray(start, endByte));
  };
const page: ScriptedReply = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');

/** Proxies and disks that change what is downloaded, which no healthy service does. */
describe('the archive of a batch', () => {
  let service: ScriptedService;
  let folder: string;
  beforeEach(async () => {
    service = await ScriptedService.start();
    folder = await mkdtemp(join(tmpdir(), 'ies-archive-'));
  });
  afterEach(async () => {
    service.close();
    await rm(folder, { recursive: true });
  });

  const save = async (replies: readonly ScriptedReply[], maxRetries?: number) => {
    service.script({ [WHAT]: replies });
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x', maxRetries });
    await client.batches.results('bat_1').save(join(folder, 'all.zip'));
    expect(WHOLE.equals(await readFile(join(folder, 'all.zip')))).toBe(true);
    expect(await readdir(folder)).toEqual(['all.zip']);
    return service.seen.length;
  };

  it('is not a page of a proxy', async () => {
    expect(await save([page, archive(100_000), page, archive()])).toBe(4);
    await rm(join(folder, 'all.zip'));
    await expect(save([page], 0)).rejects.toMatchObject({ code: 'connection_failed' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not continued with another part', async () => {
    expect(await save([archive(100_000), archive(WHOLE.length, 10), archive()])).toBe(3);
  });

  it('is not continued with a part of another archive, which a cache may send despite If-Range', async () => {
    expect(await save([archive(100_000), archive(WHOLE.length, 0, '"2"'), archive()])).toBe(3);
  });

  it('does not end with a part that is shorter than the rest', async () => {
    expect(await save([archive(100_000), portion(150_000), archive()])).toBe(3);
  });

  it('is read from the start when the part on the disk is too long', async () => {
    await writeFile(join(folder, '.all.zip.1.part'), Buffer.alloc(WHOLE.length + 2 * REREAD));
    expect(await save([scriptedProblem(416, 'range_not_satisfiable'), archive()])).toBe(2);
  });

  it('goes on as a stream behind a proxy that removes Range, if it is still the same', async () => {
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x' });
    const read = async () =>
      Buffer.from(await new Response(client.batches.results('bat_1').stream()).arrayBuffer());
    service.script({ [WHAT]: [whole(100_000), whole(150_000), whole()] });
    expect(WHOLE.equals(await read())).toBe(true);
    expect(service.seen).toHaveLength(3);
    service.script({ [WHAT]: [whole(100_000), whole(WHOLE.length, '"other"')] });
    await expect(read()).rejects.toMatchObject({ code: 'archive_changed' });
    // As long as what was read of the other one.
    service.script({ [WHAT]: [whole(100_000), whole(100_000, '"other"', 100_000)] });
    await expect(read()).rejects.toMatchObject({ code: 'archive_changed' });
  });

  it('reports its size when it goes on in another process behind such a proxy', async () => {
    await writeFile(join(folder, '.all.zip.1.part'), WHOLE.subarray(0, 100_000));
    service.script({ [WHAT]: [whole()] });
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x' });
    const totals = new Set<number | null>();
    const onProgress = ({ totalBytes }: { totalBytes: number | null }) => void totals.add(totalBytes);
    await client.batches.results('bat_1').save(join(folder, 'all.zip'), { onProgress });
    expect([...totals]).toEqual([WHOLE.length]);
    expect(WHOLE.equals(await readFile(join(folder, 'all.zip')))).toBe(true);
  });

  it('fails as a stream that cannot be continued', async () => {
    service.script({ [WHAT]: [archive(100_000), scriptedProblem(416, 'range_not_satisfiable'), archive()] });
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x' });
    const read = new Response(client.batches.results('bat_1').stream()).arrayBuffer();
    await expect(read).rejects.toMatchObject({ code: 'archive_changed' });
  });
});
