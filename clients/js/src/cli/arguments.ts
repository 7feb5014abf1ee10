import { parseArgs } from 'node:util';
import { isAbsolute } from 'node:path';
import type { CreateJob } from '../generated/schema.js';
import { type Format, formatOf } from './image-format.js';
import { JOB_FLAGS, type JobOptions, readJobOptions } from './job-options.js';
import { oneOf, UsageError, whole } from './values.js';

export { UsageError } from './values.js';

/** What the person asked for. */
export interface CommandLine {
  readonly command: 'enhance' | 'usage' | 'operations' | 'help' | 'version';
  /** Paths and patterns. */
  readonly files: readonly string[];
  readonly operation: string;
  readonly level: CreateJob['level'] | undefined;
  readonly format: Format | undefined;
  readonly options: JobOptions;
  /** Only says what it would cost. */
  readonly dryRun: boolean;
  /** False: what was enhanced before is enhanced again. */
  /** Undefined: as the account is set. */
  readonly cache: boolean | undefined;
  readonly callbackUrl: string | undefined;
  /** Such as `60s`. */
  readonly cancelAfter: string | undefined;
  /** Seconds that the service keeps a result. */
  readonly expiresIn: number | undefined;
  /** A file, a folder or `-`; undefined: beside each source. */
  readonly output: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly url: string | undefined;
  readonly key: string | undefined;
}

export const HELP = `Usage: image-enhancement-client <command> [options]

Commands:
  enhance <file …>   enhance images: paths, patterns such as 'photos/**/*.jpg', or - for standard input
  usage              show the plan, its limits and what is used
  operations         show what the service can do

Options of enhance:
  -p, --operation <name>   smooth_skin, upscale, auto_enhance, bg_remove (default: auto_enhance)
  -l, --level <level>      low, medium or high (default: medium)
  -o, --output <path>      where to write: a file, a folder, or - for standard output
                           (default: beside the source, as photo.upscale.jpg); results of one batch that would get
                           the same name are numbered in the order of their sources, as photo.upscale-2.jpg
      --format <format>    jpeg, png, webp or avif (default: as the output's name says, else as the source)
      --quality <1-100>    of the encoding
      --strength <0-1>     of smooth_skin and auto_enhance, in place of the level's
      --scale <2|4>        of upscale, in place of the level
      --width <px>, --height <px>  exact size of upscale: enlarged first, then resampled down
      --fit <fit>          inside (default), cover or fill, with --width and --height
      --background <#rrggbb|file>  color or picture in place of transparency
      --background-fit <fit>  cover (default) or contain
      --crop subject       cut to the subject
      --padding <0-0.5>    space around the cropped subject, as a share of its longer side
      --shadow             a soft shadow
      --kind <kind>        image (default), mask or edges
      --max-bytes <n>      lower the quality until the file fits
      --metadata <mode>    strip (default), keep or keep-no-gps
      --provenance         write the IPTC digital source type
      --dry-run            only upload, and say what it would cost
      --cache              take the result of an equal earlier job, which is free
      --no-cache           enhance again what was enhanced before
      --callback-url <url>  called when a job ends
      --cancel-after <time>  such as 60s: cancel a job that has not ended by then
      --expires-in <seconds>  for which the service keeps a result
      --force              write over files that exist, which is never done without it; a source never is
      --concurrency <n>    images at once, 1 to 32 (default: 4)
      --timeout <seconds>  for one image (default: 600)

Options of all commands:
      --url <address>      the service (default: IMAGE_ENHANCEMENT_URL, else http://localhost:3000)
      --key <key>          the API key (default: IMAGE_ENHANCEMENT_API_KEY, which keeps it out of the list of processes)
      --json               print JSON, one object a line: for each image, for each operation, for the usage
  -q, --quiet              print errors only
  -h, --help               show this
      --version            show the version

Exit codes: 0 all done, 1 something failed, 2 wrong usage or no such file, 3 key or scope, 4 quota used up, 5 service
out of reach, 130 interrupted. When several images fail in different ways: 1.
`;

const OPTIONS = {
  operation: { type: 'string', short: 'p', default: 'auto_enhance' },
  level: { type: 'string', short: 'l' },
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  ...JOB_FLAGS,
  'dry-run': { type: 'boolean', default: false },
  cache: { type: 'boolean', default: false },
  'no-cache': { type: 'boolean', default: false },
  'callback-url': { type: 'string' },
  'cancel-after': { type: 'string' },
  'expires-in': { type: 'string' },
  force: { type: 'boolean', default: false },
  concurrency: { type: 'string', default: '4' },
  timeout: { type: 'string', default: '600' },
  url: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [first, ...files] = positionals;
  return {
    command: commandOf(first, values),
    files,
    operation: values.operation,
    level: oneOf('--level', values.level, ['low', 'medium', 'high']),
    format:
      oneOf('--format', values.format, ['jpeg', 'png', 'webp', 'avif']) ??
      formatOf(/\.\w+$/.exec(values.output ?? '')?.[0] ?? ''),
    options: readJobOptions(values),
    dryRun: values['dry-run'],
    cache: values['no-cache'] ? false : values.cache ? true : undefined,
    callbackUrl: values['callback-url'],
    cancelAfter: values['cancel-after'],
    expiresIn: whole('--expires-in', values['expires-in'], 1, 315_360_000),
    output: values.output,
    force: values.force,
    json: values.json,
    quiet: values.quiet,
    concurrency: whole('--concurrency', values.concurrency, 1, 32)!,
    timeoutMs: whole('--timeout', values.timeout, 1, 86_400)! * 1000,
    url: values.url,
    key: values.key,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function commandOf(
  word: string | undefined,
  values: { readonly help: boolean; readonly version: boolean },
): CommandLine['command'] {
  if (values.version) return 'version';
  if (values.help || word === undefined || word === 'help') return 'help';
  if (word === 'enhance' || word === 'usage' || word === 'operations') return word;
  const hint = /[./\\]/.test(word) || isAbsolute(word) ? ` Did you mean "enhance ${word}"?` : '';
  throw new UsageError(`There is no command "${word}".${hint}`);
}
