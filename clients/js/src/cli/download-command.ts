import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JobState } from '../jobs/follow-job.js';
import type { ImageEnhancement } from '../node.js';
import { type CommandLine, UsageError } from './arguments.js';
import { EXIT } from './exit-code.js';
import { extensionOf } from './image-format.js';
import { checkWritable, makeFolder } from './output/output-folder.js';
import { isFolder } from './output/output-path.js';
import { ProgressBar } from './progress-bar.js';
import { Reporter, type Streams } from './reporter.js';
import { writeOut } from './output/write-out.js';

/** Waits for a job and writes its result, which costs nothing. @returns the exit code */
export async function downloadCommand(
  client: ImageEnhancement,
  line: CommandLine,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const { timeoutMs } = line;
  const [id, ...rest] = line.files;
  if (id === undefined || id === '' || rest.length > 0) throw new UsageError('Name one job: download job_…');
  prepare(line);
  const bar = new ProgressBar(streams.stderr, 1, streams.stderr.isTTY && !line.quiet && !line.json);
  const reporter = new Reporter(
    line,
    line.output === '-' ? streams.stderr : streams.stdout,
    streams.stderr,
    bar,
  );
  try {
    const onProgress = ({ job }: JobState) => bar.update(id, job.status, job.progress);
    // First, because a wait is patient with a service that cannot be reached.
    const known = await client.jobs.get(id, { signal, timeoutMs });
    const hasCompleted = known.status === 'completed';
    const job = hasCompleted ? known : await client.jobs.wait(id, { signal, timeoutMs, onProgress });
    const result = await client.result(job);
    const path = pathOf(line, id, result.info.format);
    if (path === '-') await writeOut(streams.stdout, await result.bytes({ signal, timeoutMs }));
    else await result.save(path, { signal, timeoutMs });
    reporter.downloaded(id, path, result);
    return EXIT.done;
  } finally {
    bar.clear();
  }
}

/** Before the wait, which may be long. @throws UsageError */
function prepare({ output, force }: CommandLine): void {
  if (output === '-') return;
  const folder = output === undefined ? '.' : isFolder(output) ? output : dirname(output);
  makeFolder(folder);
  checkWritable(folder);
  if (output !== undefined && !isFolder(output)) checkFree(output, force);
}

function pathOf({ output, force }: CommandLine, id: string, format: string): string {
  if (output === '-') return output;
  const name = `${id}${extensionOf(format)}`;
  const path = output === undefined ? name : isFolder(output) ? join(output, name) : output;
  checkFree(path, force);
  return path;
}

function checkFree(path: string, force: boolean): void {
  if (force || !existsSync(path)) return;
  throw new UsageError(`${path} exists. Choose another --output, or write over it with --force.`);
}
