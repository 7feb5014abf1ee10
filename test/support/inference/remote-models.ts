import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportVersion, writeRemoteVersion } from '../../../src/cli/models/export/export-version.js';
import type { RunReport } from '../../../src/inference/device/device-port.js';
import { Enhancer } from '../../../src/inference/enhancer.js';
import { NO_SERVER, type TritonOptions } from '../../../src/inference/engines/triton/triton-engine.js';
import type { Level } from '../../../src/kernel/operations.js';
import type { RawImage } from '../../../src/kernel/pixels.js';
import { enhanced } from '../../../src/models/check/enhanced.js';
import type { Catalog } from '../../../src/models/repository/catalog.js';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';

const MODELS = join(import.meta.dirname, '../../../models');

/** The committed models twice: unchanged, and with all graphs on an inference server. */
export class RemoteModels {
  private constructor(
    private readonly home: string,
    /** The server's model repository. */
    readonly repository: string,
    readonly local: Catalog,
    readonly remote: Catalog,
  ) {}

  static async create(...operations: readonly string[]): Promise<RemoteModels> {
    const home = await mkdtemp(join(tmpdir(), 'ies-remote-'));
    const repository = join(home, 'repository');
    const local = await loadCatalog(MODELS);
    for (const operation of operations) {
      const version = local.servingVersion(operation)!;
      await exportVersion(version, { dir: repository, precision: 'fp32', instances: 1 });
      await writeRemoteVersion(version, join(home, 'models'));
    }
    return new RemoteModels(home, repository, local, await loadCatalog(join(home, 'models')));
  }

  /** Renders a picture at a level both here and on a server. */
  async bothWays(
    url: string,
    operation: string,
    level: Level,
    image: RawImage,
  ): Promise<{ expected: RawImage; result: RawImage; device: string }> {
    const route = this.remote.route(operation, level)!;
    const own = this.local.route(operation, level)!;
    const here = await startEnhancer({ routes: () => [own] });
    const there = await startEnhancer({ routes: () => [route] }, { ...NO_SERVER, urls: [url] });
    try {
      const expected = await enhanced(here, own, image);
      const result = await enhanced(there, route, image);
      return { expected, result, device: there.deviceOf(route) };
    } finally {
      await Promise.all([here.close(), there.close()]);
    }
  }

  async remove(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Runs on the CPU and, for remote stages, on a server. */
export function startEnhancer(
  catalog: Pick<Catalog, 'routes'>,
  triton: TritonOptions = NO_SERVER,
  onRun: (run: RunReport) => void = () => undefined,
): Promise<Enhancer> {
  return Enhancer.start({
    // The precision of the exported graphs.
    precision: 'float32',
    catalog,
    device: 'cpu',
    threads: 1,
    triton,
    observer: { onRun, onWait: () => undefined },
    onDeath: (error) => {
      throw error;
    },
  });
}

/** Edges, slopes and a fine pattern; with four channels, also a sloping alpha. */
export function remotePicture(width: number, height: number, channels: 3 | 4 = 3): RawImage {
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const pixel = [x > y ? 190 : 60, 40 + ((x * 5 + y * 3) % 16), 90 + (x % 64), (255 * y) / height];
    for (let channel = 0; channel < channels; channel++) data[at * channels + channel] = pixel[channel]!;
  }
  return { data, width, height, channels };
}

export function largestDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((largest, value, index) => Math.max(largest, Math.abs(value - b[index]!)), 0);
}
