import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { runnerImport } from 'vite';
import { built } from '../../lib/built.mjs';
import { ROOT } from '../../lib/paths.mjs';
import { judge, under, verdict } from '../verdict.mjs';

/** Maximum time that one upload may block the event loop of the api. */
const MAX_LOOP_MS = 50;
/** Resolution of that measurement. */
const RESOLUTION_MS = 2;
const ROUNDS = 3;

/**
 * Measures files that are slow on purpose: the response to an upload, how long it blocks the event loop of the process
 * that examines it, and the duration of a decode, compared with its limit.
 */
export async function measureSlowFiles(library, options, dir) {
  const { decodePixels, HeaderReader, ImageDecoder, probeImage } = library;
  const { IMAGE_DESCRIPTORS } = await built('config/variables/image-env.js');
  const defaults = Object.fromEntries(
    Object.entries(IMAGE_DESCRIPTORS).map(([name, { read }]) => [name, read(undefined)]),
  );
  const { decodeTimeoutMs: timeoutMs, decodeTimeoutMsPerMegapixel: timeoutMsPerMegapixel } = defaults;
  const limits = { maxPixels: defaults.maxInputPixels, maxDecodingBytes: defaults.codecMemoryBytes };
  const decoder = new ImageDecoder({ ...options, timeoutMs, timeoutMsPerMegapixel });
  const headers = new HeaderReader(decoder.pool);
  await decoder.pool.warm();
  const path = join(dir, 'slow');
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const rows = [];
  try {
    for (const { name, make } of await slowFiles()) {
      const file = await make();
      await writeFile(path, file);
      const probes = [];
      // The minimum of several rounds is the cost of the file itself. The rest comes from other load on the machine.
      for (let round = 0; round < ROUNDS; round += 1) {
        await sleep(20);
        loop.reset();
        const one = await outcomeOf(() => probeImage(path, limits, (...order) => headers.read(...order)));
        probes.push({ ...one, loopMs: loop.max / 1e6 });
      }
      const probe = probes.toSorted((a, b) => a.ms - b.ms)[0];
      const loopMs = Math.min(...probes.map((one) => one.loopMs));
      const pixels = probe.value === undefined ? 0 : probe.value.width * probe.value.height;
      const limit = { maxPixels: limits.maxPixels, expectedPixels: pixels };
      const decode =
        probe.value && (await outcomeOf(() => decoder.decodeToFile(file, join(dir, 'slow.tif'), limit)));
      await decode?.value?.remove();
      const cpuMs =
        probe.value && (await processorTime(() => decodePixels(file, join(dir, 'slow.v'), limit)));
      rows.push({
        name,
        bytes: file.length,
        probe: { ms: probe.ms, code: probe.code },
        decode: decode && { ms: decode.ms, cpuMs, code: decode.code },
        deadlineMs: timeoutMs + (timeoutMsPerMegapixel * pixels) / 1e6,
        loop: judge(loopMs, under(MAX_LOOP_MS)),
      });
    }
    return rows;
  } finally {
    loop.disable();
    await decoder.close();
  }
}

/** The test helpers that create the files, which are written in TypeScript. */
async function slowFiles() {
  const path = join(ROOT, 'src/infra/image/testing/slow-files.ts');
  const { module } = await runnerImport(path, { root: ROOT, configFile: false, logLevel: 'error' });
  return [...module.SLOW_JPEGS, ...module.SLOW_PNGS, ...module.SLOW_OTHERS];
}

async function outcomeOf(work) {
  const startedMs = performance.now();
  try {
    const value = await work();
    return { value, ms: performance.now() - startedMs };
  } catch (error) {
    if (typeof error.code !== 'string') throw error;
    return { code: error.code, ms: performance.now() - startedMs };
  }
}

/**
 * Processor time of a decode in this process, where it can be measured. It does not depend on other load on the
 * machine.
 */
async function processorTime(decode) {
  const before = process.cpuUsage();
  await outcomeOf(decode);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const seconds = (ms) => (ms / 1000).toFixed(2).padStart(6);

export function slowPage(rows) {
  const lines = rows.map(({ name, bytes, probe, decode, deadlineMs, loop }) =>
    [
      name.padEnd(42),
      `${Math.ceil(bytes / 1000)} kB`.padStart(9),
      `${seconds(probe.ms)} s`,
      `${loop.value.toFixed(0).padStart(4)} ms${loop.isMet ? '' : ` (${verdict(loop)})`}`,
      decode === undefined
        ? `refused: ${probe.code}`
        : `${seconds(decode.cpuMs)} s  ${seconds(decode.ms)} s of ${(deadlineMs / 1000).toFixed(0)}${decode.code === undefined ? '' : `: ${decode.code}`}`,
    ].join('  '),
  );
  return `Slow files: size, probe, event loop kept by it (under ${MAX_LOOP_MS} ms), processor time of a decode, decode and its deadline\n${lines.join('\n')}\n`;
}
