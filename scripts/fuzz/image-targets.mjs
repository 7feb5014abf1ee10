import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../lib/built.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { Finding, within } from './finding.mjs';
import { pictureSeeds } from './pictures.mjs';

const CASE_MS = 60_000;
const MAX_PIXELS = 4_000_000;
const LIMITS = { maxPixels: MAX_PIXELS, maxDecodingBytes: 100_000_000 };

/** Headers of uploads: first the service's own header parsers, then the image library in a confined process. */
export const probe = {
  name: 'probe',
  seeds: pictureSeeds,
  open: () =>
    openWithDecoders(async ({ decoder, dir }) => {
      const { probeImage } = await built('infra/image/containers/probe.js');
      const { HeaderReader } = await built('infra/image/decoder/header-reader.js');
      const headers = new HeaderReader(decoder.pool);
      const path = join(dir, 'upload');
      return async (bytes) => {
        await writeFile(path, bytes);
        return probeImage(path, LIMITS, (...args) => headers.read(...args));
      };
    }),
};

/** Pixels of sources, in a confined process. */
export const decode = {
  name: 'decode',
  seeds: pictureSeeds,
  open: () =>
    openWithDecoders(async ({ decoder, dir }) => {
      const path = join(dir, 'scratch', 'pixels.tif');
      return async (bytes) => {
        const pixels = await decoder.decodeToFile(bytes, path, {
          maxPixels: MAX_PIXELS,
          expectedPixels: MAX_PIXELS,
        });
        await pixels.remove();
      };
    }),
};

async function openWithDecoders(prepare) {
  const { ImageDecoder } = await built('infra/image/decoder/image-decoder.js');
  const dir = await mkdtemp(join(tmpdir(), 'ies-fuzz-'));
  await mkdir(join(dir, 'scratch'));
  const decoder = new ImageDecoder({
    processes: 1,
    maxWaiting: 1,
    dataBytes: 1e9,
    fileBytes: 201e6,
    hiddenDirs: [dir, join(dir, 'scratch')],
    workRoot: join(dir, 'scratch'),
    timeoutMs: 20_000,
    timeoutMsPerMegapixel: 1_000,
    warn: () => undefined,
  });
  const work = await prepare({ decoder, dir });
  return {
    run: async (bytes) => {
      try {
        await within(CASE_MS, work(bytes));
        return 'accepted';
      } catch (error) {
        return await refusal(error);
      }
    },
    close: cleanupOnce(async () => {
      await decoder.close();
      await rm(dir, { recursive: true, force: true });
    }),
  };
}

/** A decoder that crashed or was stopped at its deadline did no harm, but the event is reported in a line. */
async function refusal(error) {
  const { ERROR_CODES } = await built('kernel/errors/error-codes.js');
  const status = ERROR_CODES[error.code]?.status ?? 500;
  if (error.name !== 'AppError' || status >= 500)
    throw error instanceof Finding ? error : new Finding(error.stack ?? String(error));
  return /its decoder failed|takes longer than/.test(error.detail) ? 'contained' : 'refused';
}
