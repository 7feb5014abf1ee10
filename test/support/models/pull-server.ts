import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { type CommandOutcome, runModelsCommand } from './models-command.js';
import { type ModelsDir, temporaryModels } from './models-dir.js';

/** Doubles the size, plus 400 kB of unused weights, so that a download has a middle. */
export const FILE = tinyModel({
  dims: ['N', 3, 'H', 'W'],
  outputDims: null,
  body: (g: GraphWriter, x: Value) => {
    g.constant(
      Array.from({ length: 100_000 }, (_, at) => at / 7),
      'float32',
    );
    const channels = g.op('Concat', [x, x, x, x], { axis: 1 });
    return g.op('DepthToSpace', [channels], { blocksize: 2, mode: 'DCR' });
  },
});
export const SHA256 = createHash('sha256').update(FILE).digest('hex');

/** Its entry in a catalog, without a URL. */
export const ENTRY = {
  name: 'nearest',
  title: 'Nearest',
  operation: 'upscale',
  license: { id: 'MIT', permissive: true, address: 'https://example.org/license' },
  file: { name: 'nearest.onnx', address: '', bytes: FILE.length, sha256: SHA256 },
  manifest: {
    name: 'nearest',
    description: 'Repeats pixels.',
    engine: 'onnx',
    license: 'MIT',
    source: 'https://example.org',
    trainedOn: 'nothing',
    stages: {
      x2: {
        kind: 'render',
        tile: 64,
        halo: 8,
        scale: 2,
        maxBatch: 2,
        maxDelayMs: 5,
        input: { layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [0, 1], size: { mode: 'any' } },
        output: { layout: 'NCHW', dtype: 'float32', meaning: 'image', channels: 'RGB', range: [0, 1] },
      },
    },
    levels: Object.fromEntries(
      ['low', 'medium', 'high'].map((level) => [level, { strength: 1, render: 'x2' }]),
    ),
  },
};

/** Breaks the connection in the middle of the body, once the sent part has arrived. */
export function cut(answer: ServerResponse): void {
  setTimeout(() => answer.destroy(), 200);
}

/** How a request is answered. */
export type Serve = (answer: ServerResponse, range: string | undefined, path: string | undefined) => void;

/** Sends the requested range, like a web server. */
export function whole(answer: ServerResponse, range: string | undefined): void {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  const part = FILE.subarray(from);
  answer.writeHead(from > 0 ? 206 : 200, {
    'content-length': part.length,
    ...(from > 0 && { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` }),
  });
  answer.end(part);
}

/** A separate models folder, and a server that serves the file as a test wants. */
export class PullServer {
  /** The requested ranges, one for each download. */
  ranges: (string | undefined)[] = [];
  serve: Serve = whole;
  /** Called with the process of each command. */
  onStart: (child: ChildProcess) => void = () => undefined;

  private constructor(
    readonly models: ModelsDir,
    private readonly server: Server,
  ) {
    server.on('request', (request, answer) => {
      if (request.method === 'GET') this.ranges.push(request.headers.range);
      this.serve(answer, request.headers.range, request.url);
    });
  }

  static async start(): Promise<PullServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PullServer(await temporaryModels(), server);
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/nearest.onnx`;
  }

  /** Runs `models pull nearest` with changes to its entry. */
  pull(
    file: Readonly<Record<string, unknown>> = {},
    license: Readonly<Record<string, unknown>> = {},
    flags: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<CommandOutcome> {
    const entry = {
      ...ENTRY,
      file: { ...ENTRY.file, address: this.address, ...file },
      license: { ...ENTRY.license, ...license },
    };
    return this.runCatalog([entry], ['nearest', ...flags], variables);
  }

  /** Runs it with these entries in the catalog. */
  async runCatalog(
    entries: readonly object[],
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<CommandOutcome> {
    const catalog = join(this.models.path, 'upstream.json');
    await writeFile(catalog, JSON.stringify({ models: entries }));
    const command = ['pull', ...args, '--catalog', catalog, '--json'];
    return runModelsCommand(command, this.models.path, variables, (child) => this.onStart(child));
  }

  isThere(path: string): Promise<boolean> {
    return access(join(this.models.path, path)).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.models.remove();
  }
}
