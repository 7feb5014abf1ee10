import type { ImageProcessKind } from '../../../src/infra/image/process/image-process-protocol.js';
import { ImageProcessPool } from '../../../src/infra/image/process/image-process-pool.js';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageDecoder, type ImageDecoderOptions } from '../../../src/infra/image/decoder/image-decoder.js';
import { descendantsOf, type KnownProcess } from './flow-processes.js';
import { eventually } from './flow-wait.js';

/** CPU ticks of 10 ms that a process does not use while it waits for an image. */
const BUSY_TICKS = 20;

/** Decoders with a separate data folder; all are gone after `close`. */
export class DecoderFixture {
  readonly warnings: string[] = [];
  private readonly opened: Pick<ImageProcessPool, 'close'>[] = [];
  /** Earlier spec files in this worker may have left an application with its own decoders. */
  private readonly others = descendantsOf(process.pid);

  private constructor(readonly dataDir: string) {}

  /** @param secret in the data folder */
  static async make(secret = 'what nobody may see'): Promise<DecoderFixture> {
    const dataDir = mkdtempSync(join(tmpdir(), 'decoder-'));
    await mkdir(join(dataDir, 'scratch'));
    writeFileSync(join(dataDir, 'secrets.json'), secret);
    return new DecoderFixture(dataDir);
  }

  /** Opens a decoder with one process, unless the options say otherwise. */
  open(options: Partial<ImageDecoderOptions> = {}): ImageDecoder {
    const decoder = new ImageDecoder({
      processes: 1,
      maxWaiting: 100,
      dataBytes: 1_300_000_000,
      fileBytes: 201_000_000,
      hiddenDirs: [this.dataDir, join(this.dataDir, 'scratch')],
      workRoot: join(this.dataDir, 'scratch'),
      timeoutMs: 20_000,
      timeoutMsPerMegapixel: 500,
      warn: (text) => this.warnings.push(text),
      ...options,
    });
    this.opened.push(decoder);
    return decoder;
  }

  /** Processes that read headers and write nothing. */
  pool(): ImageProcessPool {
    const pool = new ImageProcessPool('decoder', {
      processes: 1,
      maxWaiting: 100,
      dataBytes: 600_000_000,
      fileBytes: 0,
      hiddenDirs: [this.dataDir, join(this.dataDir, 'scratch')],
      warn: (text) => this.warnings.push(text),
    });
    this.opened.push(pool);
    return pool;
  }

  /** The processes that decode for this fixture: the innermost ones. */
  decoders(): KnownProcess[] {
    return imageProcesses(process.pid, 'decoder').filter(
      ({ pid, startTicks }) =>
        !this.others.some((other) => other.pid === pid && other.startTicks === startTicks),
    );
  }

  /** Waits for the first of these processes. */
  process(): Promise<KnownProcess> {
    return eventually('a decoder', () => ({ found: this.decoders()[0], seen: descendantsOf(process.pid) }));
  }

  /** The path that pixels are written to. */
  target(name = 'source.tif'): string {
    return join(this.dataDir, name);
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((decoder) => decoder.close()));
    await rm(this.dataDir, { recursive: true });
  }
}

/** The decoding process below another one: the innermost one. */
export function decoderBelow(pid: number): Promise<KnownProcess> {
  return imageProcessBelow(pid, 'decoder');
}

/** The innermost process of this kind below another one. */
export function imageProcessBelow(pid: number, kind: ImageProcessKind): Promise<KnownProcess> {
  return eventually(`a process (${kind})`, () => ({
    found: imageProcesses(pid, kind)[0],
    seen: descendantsOf(pid),
  }));
}

function imageProcesses(pid: number, kind: ImageProcessKind): KnownProcess[] {
  return descendantsOf(pid).filter(({ command }) => command.startsWith(`image ${kind}`));
}

/** Waits until a decoder process works on an image. */
export async function busy({ pid }: KnownProcess): Promise<void> {
  const before = cpuTicks(pid);
  await eventually('a decode under way', () => {
    const used = cpuTicks(pid) - before;
    return used > BUSY_TICKS ? { found: true } : { seen: used };
  });
}

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // utime and stime, the 14th and 15th field; the name in parentheses may contain anything.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user! + system!;
}
