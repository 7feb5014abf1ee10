import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommandLine, UsageError } from '../../../clients/js/src/cli/arguments.js';
import { findFiles } from '../../../clients/js/src/cli/find-files.js';
import { formatOf } from '../../../clients/js/src/cli/image-format.js';
import { OutputPaths } from '../../../clients/js/src/cli/output/output-path.js';
import { ProgressBar } from '../../../clients/js/src/cli/progress-bar.js';
import { readServerEvents, type ServerEvent } from '../../../clients/js/src/http/server-events.js';
import { List } from '../../../clients/js/src/page.js';
import { VERSION } from '../../../clients/js/src/version.js';
import manifest from '../../../clients/js/package.json' with { type: 'json' };

describe('readServerEvents', () => {
  const read = async (chunks: readonly (string | Uint8Array)[]) => {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) {
          controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
        }
        controller.close();
      },
    });
    const events: ServerEvent[] = [];
    for await (const event of readServerEvents(body)) events.push(event);
    return events;
  };

  it('reads fields, comments, multiline data and ids that persist', async () => {
    const text = 'retry: 5\n\n: hello\nevent: job\nid: 7\ndata: {"a":\ndata: 1}\n\ndata:x\n\nid\ndata: y\n\n';
    expect(await read([text])).toEqual([
      { event: 'job', id: '7', data: '{"a":\n1}' },
      { event: 'message', id: '7', data: 'x' },
      { event: 'message', id: '', data: 'y' },
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('reads the same in chunks of any size, with line end %j', async (end) => {
    const text = `event: job${end}id: 1${end}data: Grüße 🌍${end}${end}data: z${end}${end}data: lost`;
    const bytes = new TextEncoder().encode(text);
    const expected = [
      { event: 'job', id: '1', data: 'Grüße 🌍' },
      { event: 'message', id: '1', data: 'z' },
    ];
    for (let size = 1; size <= 9; size += 1) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(await read(chunks), `chunks of ${size}`).toEqual(expected);
    }
  });
});

describe('List', () => {
  const pages: Record<string, { data: number[]; hasMore: boolean; nextCursor: string | null }> = {
    '': { data: [1, 2], hasMore: true, nextCursor: 'b' },
    b: { data: [3], hasMore: true, nextCursor: 'c' },
    c: { data: [], hasMore: false, nextCursor: null },
  };
  const listOf = (asked: (string | undefined)[]) =>
    new List<number>((cursor) => {
      asked.push(cursor);
      return Promise.resolve(pages[cursor ?? '']!);
    });

  it('iterates over all pages, and requests no page that is not read', async () => {
    const asked: (string | undefined)[] = [];
    expect(await listOf(asked).all()).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, 'b', 'c']);
    asked.length = 0;
    for await (const item of listOf(asked)) if (item === 2) break;
    expect(asked).toEqual([undefined]);
  });

  it('returns a page when awaited, and each page returns the next', async () => {
    const page = await listOf([]);
    expect(page).toMatchObject({ data: [1, 2], hasMore: true });
    const second = await page.next();
    expect(second).toMatchObject({ data: [3] });
    const last = await second!.next();
    expect(await last!.next()).toBeNull();
  });

  it('rejects when a request fails', async () => {
    const broken = new List(() => Promise.reject(new Error('no')));
    await expect(broken).rejects.toThrow('no');
    await expect(broken.all()).rejects.toThrow('no');
  });
});

describe('the command line', () => {
  let folder: string;
  const inFolder = (...names: string[]) => names.map((name) => join(folder, name));
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-cli-'));
    await mkdir(join(folder, 'deep', 'er'), { recursive: true });
    for (const name of [
      'a.jpg',
      'b.jpg',
      'c.png',
      'x[1].jpg',
      'deep/d.jpg',
      'deep/er/e.JPG',
      'deep/er/f.jpg',
    ]) {
      await writeFile(join(folder, name), name);
    }
  });
  afterAll(async () => rm(folder, { recursive: true }));

  it.each([
    [['a.jpg', 'a.jpg'], ['a.jpg']],
    [['*.jpg'], ['a.jpg', 'b.jpg', 'x[1].jpg']],
    [['?.{jpg,png}'], ['a.jpg', 'b.jpg', 'c.png']],
    [['**/*.jpg'], ['a.jpg', 'b.jpg', 'deep/d.jpg', 'deep/er/f.jpg', 'x[1].jpg']],
    [['deep/**/*.[jJ][pP][gG]'], ['deep/d.jpg', 'deep/er/e.JPG', 'deep/er/f.jpg']],
    [['*/*.jpg'], ['deep/d.jpg']],
    [['[!a].jpg'], ['b.jpg']],
    [['x[1].jpg'], ['x[1].jpg']],
    [['deep'], ['deep/d.jpg']],
    [['deep', 'deep/d.jpg'], ['deep/d.jpg']],
  ])('finds %j', async (patterns, expected) => {
    expect(await findFiles(inFolder(...patterns))).toEqual(inFolder(...expected));
  });

  it.each([
    ['*.gif', /No file matches/],
    ['missing.jpg', /missing\.jpg cannot be read: there is no such file\.$/],
    ['[z-a].jpg', /\[z-a\]\.jpg" is no pattern: .*out of order/],
  ])('explains what is wrong with %s', async (name, reason) => {
    const failed = findFiles(inFolder(name));
    await expect(failed).rejects.toThrow(reason);
    await expect(failed).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    [['a.jpg'], [], ['a.auto_enhance.jpg']],
    [['a.jpg'], ['-p', 'bg_remove'], ['a.bg_remove.png']],
    [['a.jpg'], ['--format', 'webp'], ['a.auto_enhance.webp']],
    [
      ['a.jpg', 'c.png'],
      ['-o', 'out/'],
      ['out/a.auto_enhance.jpg', 'out/c.auto_enhance.png'],
    ],
    [['a.jpg'], ['-o', 'big.png'], ['big.png']],
    [['a.jpg'], ['-o', 'deep'], ['deep/a.auto_enhance.jpg']],
    [['a.jpg'], ['-o', 'copy.old/'], ['copy.old/a.auto_enhance.jpg']],
    [
      ['a.jpg', 'deep/A.JPG'],
      ['-o', 'out/'],
      ['out/a.auto_enhance.jpg', 'out/A.auto_enhance-2.jpg'],
    ],
  ])('writes %j %j to %j', (files, args, expected) => {
    const given = args.map((arg, index) => (args[index - 1] === '-o' ? `${folder}/${arg}` : arg));
    const sources = inFolder(...files);
    const paths = new OutputPaths(sources, readCommandLine(['enhance', ...given]));
    const written = sources.map((file, index) => paths.of(file, formatOf(extname(expected[index]!))!));
    expect(written).toEqual(inFolder(...expected));
  });

  it('gives the same names whichever job ends first, even for misnamed sources', () => {
    const sources = ['-', ...inFolder('b.png', 'b.webp', 'b.jpeg', 'deep/b.avif', 'image.tiff')];
    const namesOf = (ending: readonly string[], format: string) => {
      const paths = new OutputPaths(sources, readCommandLine(['enhance', '-o', `${folder}/`]));
      const named = new Map(ending.map((file) => [file, paths.of(file, format)]));
      return sources.map((file) => basename(named.get(file)!));
    };
    // The source with the matching extension gets the plain name, then the others get numbers in order.
    const expected = [
      'image.auto_enhance.jpg',
      'b.auto_enhance-2.jpg',
      'b.auto_enhance-3.jpg',
      'b.auto_enhance.jpg',
      'b.auto_enhance-4.jpg',
      'image.auto_enhance-2.jpg',
    ];
    expect(namesOf(sources, 'jpeg')).toEqual(expected);
    expect(namesOf(sources.toReversed(), 'jpeg')).toEqual(expected);
    expect(namesOf(sources, 'younger-than-this').at(-1)).toBe('image.auto_enhance-2.younger-than-this');
  });

  it.each([
    [['a.jpg'], ['-o', 'b.jpg'], /exists/],
    [['a.jpg'], ['--force', '-o', 'a.jpg'], /a\.jpg is a source and is never written over/],
    [['a.jpg'], ['--force', '-o', 'deep/../a.jpg'], /is a source and is never written over/],
    [['a.jpg', 'c.png'], ['-o', 'one.png'], /must be a folder/],
    [['a.jpg'], ['-o', 'one.tiff'], /No result is a \.tiff file\. .* choose a --format/],
    [['a.jpg', 'b.jpg'], ['-o', '-'], /Only one image/],
  ])('refuses %j %j', (files, args, reason) => {
    const given = args.map((arg, index) =>
      args[index - 1] === '-o' && arg !== '-' ? `${folder}/${arg}` : arg,
    );
    const line = readCommandLine(['enhance', ...given]);
    const sources = files.map((file) => `${folder}/${file}`);
    expect(() => new OutputPaths(sources, line)).toThrow(reason);
  });

  it('names results of web images after their URLs, in the current folder', () => {
    const sources = ['https://images.example/a/Gr%C3%BC%3A%C3%9Fe.jpg?size=%2F1', 'https://images.example/'];
    const paths = new OutputPaths(sources, readCommandLine(['enhance', '--preset', 'portrait']));
    expect(sources.map((source) => paths.of(source, 'jpeg'))).toEqual([
      'Grü_ße.portrait.jpg',
      'image.portrait.jpg',
    ]);
  });

  it.each([
    [[], { operation: 'auto_enhance' }],
    [['-p', 'upscale', '-l', 'high', '--width', '900'], { operation: 'upscale', level: 'high', width: 900 }],
    [
      ['--then', 'upscale:high', '--then', 'bg_remove', '--strength', '0.5'],
      {
        operations: [
          { operation: 'auto_enhance', strength: 0.5 },
          { operation: 'upscale', level: 'high' },
          { operation: 'bg_remove' },
        ],
      },
    ],
    [['-p', 'upscale', '--model', 'upscale@2'], { operation: 'upscale', model: 'upscale@2' }],
    [['--preset', 'portrait'], { preset: 'portrait' }],
  ])('reads %j as an order', (args, order) => {
    expect(readCommandLine(['enhance', ...args]).work.order).toEqual(order);
  });

  it('takes the format from the output name', () => {
    expect(readCommandLine(['enhance', '-o', 'x.JPG']).format).toBe('jpeg');
    expect(readCommandLine(['enhance', '-o', 'x.avif']).format).toBe('avif');
    expect(readCommandLine(['enhance', '-o', 'x.avif', '--format', 'png']).format).toBe('png');
    expect(readCommandLine(['enhance', '-o', 'folder']).format).toBeUndefined();
  });

  it.each([
    [['frob'], /no command "frob"\.$/],
    [['photo.jpg'], /Did you mean "enhance photo\.jpg"/],
    [['enhance', '--level', 'extreme'], /--level must be low, medium, high/],
    [['enhance', '--quality', '0'], /--quality must be a whole number from 1 to 100/],
    [['enhance', '--concurrency', '1.5'], /--concurrency must be a whole number/],
    [['enhance', '--then', 'upscale:extreme'], /level of --then upscale must be low, medium, high/],
    [['enhance', '--then', ':low'], /--then takes an operation/],
    [['enhance', '--preset', 'portrait', '-l', 'low'], /preset portrait says what is done/],
    [['enhance', '--model', 'upscale@2'], /--model upscale@2 is for upscale, which is none/],
    [['enhance', '--model', 'two'], /--model takes an operation and a version/],
    [['enhance', '--nonsense'], /Unknown option '--nonsense'/],
  ])('refuses %j', (args, reason) => {
    expect(() => readCommandLine(args)).toThrow(reason);
  });
});

describe('ProgressBar', () => {
  const draw = async (isWanted: boolean) => {
    let text = '';
    const stream = { columns: 60, write: (chunk: string) => (text += chunk) !== '' } as never;
    const bar = new ProgressBar(stream, 2, isWanted);
    bar.update('a.jpg', 'processing', 0.5);
    bar.update('a.jpg', 'processing', 1);
    bar.finish('a.jpg');
    bar.update('b-with-a-name-that-is-far-too-long-for-a-line.jpg', 'queued (3. in the queue)', 0);
    await new Promise((done) => setTimeout(done, 200));
    const seen = text;
    bar.clear();
    return { seen, after: text };
  };

  it('writes one line, no wider than the terminal, and clears it', async () => {
    const { seen, after } = await draw(true);
    const line = seen.replaceAll('\r\u001B[K', '\n').trim();
    expect(line).toMatch(/^█{12}░{12} {2}50% {2}1\/2 {2}b-with/);
    expect(line).toHaveLength(59);
    expect(after.endsWith('\r\u001B[K')).toBe(true);
  });

  it('writes nothing without a terminal', async () => {
    expect((await draw(false)).after).toBe('');
  });
});

describe('the package', () => {
  it('has one version, and only optional peer dependencies', () => {
    expect(manifest.version).toBe(VERSION);
    expect(manifest).not.toHaveProperty('dependencies');
    const optional = Object.keys(manifest.peerDependenciesMeta);
    expect(Object.keys(manifest.peerDependencies)).toEqual(optional);
    expect(Object.values(manifest.peerDependenciesMeta)).toEqual(optional.map(() => ({ optional: true })));
  });

  it('has a changelog entry for this version', async () => {
    const path = new URL('../../../clients/js/CHANGELOG.md', import.meta.url);
    expect(await readFile(path, 'utf8')).toContain(`\n## [${VERSION}]`);
  });
});
