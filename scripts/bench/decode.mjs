import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { built } from '../lib/built.mjs';
import { photo } from './photo.mjs';
import { measureSlowFiles, slowPage } from './decode/slow-files.mjs';
import { atMost, judge, verdict } from './verdict.mjs';

/** Sizes of the uploaded sources. */
const SIZES = [
  [480, 320],
  [1600, 1200],
  [4000, 3000],
  [8660, 5773],
];
const ROUNDS = 15;
/** Maximum cost per job of the isolation of its decoder, milliseconds. */
const COST_MS = 5;

/**
 * Measures one decode and one probe in this process and in a warm, confined one, alternately, so that noise of the
 * machine affects both equally. The cost is the median of the differences of neighbors.
 */
export async function run({ json }) {
  const library = await loadLibrary();
  const dir = await mkdtemp(join(tmpdir(), 'ies-bench-decode-'));
  for (const scratch of ['scratch', 'slow-files/scratch'])
    await mkdir(join(dir, scratch), { recursive: true });
  const decoder = new library.ImageDecoder(optionsIn(dir));
  const close = cleanupOnce(async () => {
    await decoder.close();
    await rm(dir, { recursive: true });
  });
  try {
    await decoder.pool.warm();
    const rows = [];
    for (const [width, height] of SIZES) rows.push(await measure(library, decoder, dir, { width, height }));
    const slow = await measureSlowFiles(library, optionsIn(join(dir, 'slow-files')), dir);
    const { confinement } = decoder.pool;
    process.stdout.write(
      json
        ? `${JSON.stringify({ confinement, rows, slow }, null, 2)}\n`
        : `${page(confinement, rows)}\n${slowPage(slow)}`,
    );
    return { rows, slow };
  } finally {
    await close();
  }
}

async function loadLibrary() {
  const names = [
    'infra/image/codec/decode.js',
    'infra/image/codec/pixel-file.js',
    'infra/image/containers/header.js',
    'infra/image/containers/probe.js',
    'infra/image/decoder/image-decoder.js',
    'infra/image/decoder/header-reader.js',
  ];
  return Object.assign({}, ...(await Promise.all(names.map(built))));
}

const optionsIn = (dir) => ({
  processes: 1,
  maxWaiting: 1,
  dataBytes: 1.24e9,
  fileBytes: 201e6,
  hiddenDirs: [dir, join(dir, 'scratch')],
  workRoot: join(dir, 'scratch'),
  timeoutMs: 60_000,
  timeoutMsPerMegapixel: 1_000,
  warn: (text) => process.stderr.write(`${text}\n`),
});

async function measure(library, decoder, dir, { width, height }) {
  const { decodePixels, HeaderReader, PixelFile, probeImage, readHeader } = library;
  const file = await photo(width, height);
  const upload = join(dir, 'upload');
  await writeFile(upload, file);
  const limits = { maxPixels: 5e7, expectedPixels: width * height, maxDecodingBytes: 1e9 };
  const headers = new HeaderReader(decoder.pool);
  const here = join(dir, 'here.v');
  const removed = async (work) => (await work).remove();
  const decode = await compare(
    () => removed(decodePixels(file, here, limits).then((shape) => PixelFile.adopt(here, shape))),
    () => removed(decoder.decodeToFile(file, join(dir, 'there.tif'), limits)),
  );
  const probe = await compare(
    () => probeImage(upload, limits, readHeader),
    () => probeImage(upload, limits, (...order) => headers.read(...order)),
  );
  const source = `${((width * height) / 1e6).toFixed(1)} MP, ${(file.length / 1e6).toFixed(1)} MB`;
  return { source, decode, probe, decodeCost: judge(decode.costMs, atMost(COST_MS)) };
}

/** Medians in milliseconds of the work in this process, of the work in the other process, and of the difference. */
async function compare(here, there) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push([await timed(here), await timed(there)]);
  const [hereMs, isolatedMs] = [0, 1].map((which) => median(times.map((pair) => pair[which])));
  return { hereMs, isolatedMs, costMs: median(times.map(([one, other]) => other - one)) };
}

async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function median(values) {
  return Math.round(10 * values.toSorted((a, b) => a - b)[values.length >> 1]) / 10;
}

function page(confinement, rows) {
  const lines = rows.map(({ source, decode, probe, decodeCost }) =>
    [
      source.padEnd(18),
      `decode ${decode.hereMs} → ${decode.isolatedMs} ms, costs ${decode.costMs} (${verdict(decodeCost)})`,
      `probe ${probe.hereMs} → ${probe.isolatedMs} ms, costs ${probe.costMs}`,
    ].join('   '),
  );
  return `Isolation of decoders, confinement "${confinement}", medians of ${ROUNDS}\n${lines.join('\n')}\n`;
}
