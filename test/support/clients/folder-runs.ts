import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { readCommandLine } from '../../../clients/js/src/cli/arguments.js';
import { findFiles } from '../../../clients/js/src/cli/find-files.js';
import { folderCommand } from '../../../clients/js/src/cli/folder/folder-command.js';
import type { Streams } from '../../../clients/js/src/cli/reporter.js';
import { ImageEnhancement } from '../../../clients/js/src/node.js';
import { scriptedJson, type ScriptedReply, ScriptedService } from './scripted-service.js';

const RESULT = Buffer.from('a result');

/** How one run of the folder command ended. */
export interface FolderRunEnd {
  /** Undefined when it threw. */
  readonly code: number | undefined;
  readonly error: unknown;
  /** Everything that was written to both streams. */
  readonly text: string;
  /** What was written to standard error. */
  readonly stderr: string;
}

/** Runs of the folder command in this process, against a scripted service whose batches are complete at once. */
export class FolderRuns {
  private constructor(
    readonly service: ScriptedService,
    private readonly root: string,
  ) {}

  static async start(): Promise<FolderRuns> {
    return new FolderRuns(await ScriptedService.start(), await mkdtemp(join(tmpdir(), 'ies-folder-')));
  }

  async close(): Promise<void> {
    this.service.close();
    await rm(this.root, { recursive: true, force: true });
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  async addPhotos(folder: string, ...names: string[]): Promise<void> {
    await mkdir(this.path(folder), { recursive: true });
    for (const name of names) await writeFile(this.path(folder, name), `${folder}/${name}`);
  }

  /** The names of the results in a folder. */
  async results(folder: string): Promise<string[]> {
    return (await readdir(this.path(folder))).filter((name) => !name.startsWith('.')).toSorted();
  }

  /** The requests that created batches, each with the number of its sources. */
  get created(): number[] {
    const requests = this.service.seen.filter(({ what }) => what === 'POST /api/ai/batches');
    return requests.map(({ body }) => (JSON.parse(body) as { sourceUrls: string[] }).sourceUrls.length);
  }

  /** A service that gives out `bat_1`, `bat_2` … in turn; `own` replies come first. */
  script(
    own: Readonly<Record<string, readonly ScriptedReply[]>> = {},
    batchSizes: readonly number[] = [2],
  ): void {
    const url = (id: number | string) => `${this.service.baseUrl}/files/${id}.jpg?exp=1&sig=2`;
    const uploads = Array.from({ length: 9 }, (_, index) => scriptedJson(201, { url: url(`src_${index}`) }));
    const ids = batchSizes.map((_, index) => `bat_${index + 1}`);
    this.service.script({
      'POST /api/ai/upload': uploads,
      'POST /api/ai/batches': ids.map((id) => this.creation(id)),
      ...Object.fromEntries(ids.map((id) => [`GET /api/ai/batches/${id}`, [completed(id)]])),
      ...Object.fromEntries(
        ids.map((id, index) => [
          itemsOf(id),
          [this.items(Array.from({ length: batchSizes[index]! }).keys())],
        ]),
      ),
      'GET /files/job_1.jpg?exp=1&sig=2': [(_request, response) => void response.end(RESULT)],
      ...own,
    });
  }

  creation(id: string): ScriptedReply {
    return scriptedJson(201, { id, skipped: [] });
  }

  /** The jobs of a batch, by their index in it: first the completed ones, then the canceled ones. */
  items(completed: Iterable<number>, canceled: readonly number[] = []): ScriptedReply {
    const data = [...completed].map((batchIndex) => ({
      id: `job_${batchIndex}`,
      status: 'completed',
      batchIndex,
      result: { format: 'jpeg', width: 1, height: 1, bytes: RESULT.length, sha256: sha256(RESULT) },
      resultUrl: `${this.service.baseUrl}/files/job_1.jpg?exp=1&sig=2`,
      timings: { totalMs: 1 },
    }));
    const error = { code: 'canceled', message: 'The job was canceled.', retryable: true };
    const others = canceled.map((batchIndex) => ({
      id: `job_${batchIndex}`,
      status: 'failed',
      batchIndex,
      error,
    }));
    return scriptedJson(200, { data: [...data, ...others], hasMore: false, nextCursor: null });
  }

  /** `enhance` with these arguments. */
  async run(args: readonly string[], signal = new AbortController().signal): Promise<FolderRunEnd> {
    const text: string[] = [];
    const errors: string[] = [];
    const streams = {
      stdin: new PassThrough(),
      stdout: written((chunk) => text.push(chunk)),
      stderr: written((chunk) => text.push(chunk) && errors.push(chunk)),
    } as unknown as Streams;
    const line = readCommandLine(['enhance', ...args]);
    const client = new ImageEnhancement({
      baseUrl: this.service.baseUrl,
      apiKey: 'ies_x',
      maxRetries: 0,
    });
    const end = await folderCommand(client, line, await findFiles(line.files), streams, signal).then(
      (code) => ({ code, error: undefined }),
      (error: unknown) => ({ code: undefined, error }),
    );
    return { ...end, text: text.join(''), stderr: errors.join('') };
  }
}

/** The request for the items of a batch. */
export const itemsOf = (id: string): string => `GET /api/ai/batches/${id}/jobs?limit=100`;

const completed = (id: string): ScriptedReply =>
  scriptedJson(200, {
    id,
    status: 'completed',
    completedAt: '2026-01-01T00:00:00Z',
    counts: { total: 1, queued: 0, processing: 0, completed: 1, failed: 0, canceled: 0 },
  });

function written(note: (chunk: string) => void): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      note(chunk.toString());
      done();
    },
  });
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
