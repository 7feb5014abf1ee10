import { parseArgs } from 'node:util';
import { isAbsolute } from 'node:path';
import { checkOptions, type Command, COMMANDS } from './command-options.js';
import { type Format, formatOf } from './image-format.js';
import { JOB_FLAGS, type JobOptions, readJobOptions } from './job-options.js';
import { oneOf, UsageError, whole } from './values.js';
import { readWork, type Work, WORK_FLAGS } from './work.js';

export { UsageError } from './values.js';

/** How to serve the Model Context Protocol. */
export interface McpOptions {
  readonly roots: readonly string[];
  /** Undefined for standard input and output. */
  readonly httpPort: number | undefined;
  readonly host: string;
  readonly allowedHosts: readonly string[];
}

/** The parsed command line. */
export interface CommandLine {
  readonly command: Command | 'help' | 'version';
  /** Paths, patterns, folders, and URLs; for other commands, their arguments, such as the id of a job. */
  readonly files: readonly string[];
  readonly work: Work;
  readonly format: Format | undefined;
  readonly options: JobOptions;
  /** Whether to send files straight to the object store. */
  readonly direct: boolean;
  /** Whether to only show the cost. */
  readonly dryRun: boolean;
  /** False enhances again what was enhanced before. Undefined uses the setting of the account. */
  readonly cache: boolean | undefined;
  readonly callbackUrl: string | undefined;
  /** A duration such as `60s`. */
  readonly cancelAfter: string | undefined;
  /** Seconds for which the service keeps a result. */
  readonly expiresIn: number | undefined;
  /** A file, a folder, or `-`; undefined writes each result to the folder of its source. */
  readonly output: string | undefined;
  readonly force: boolean;
  /** Whether to leave out images whose result exists. */
  readonly skipExisting: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly concurrency: number;
  /** Of one image, or of a folder each upload and each request that creates a batch. Default: that of the client. */
  readonly timeoutMs: number | undefined;
  readonly mcp: McpOptions;
  readonly url: string | undefined;
  readonly key: string | undefined;
}

const OPTIONS = {
  ...WORK_FLAGS,
  output: { type: 'string', short: 'o' },
  out: { type: 'string' },
  format: { type: 'string' },
  ...JOB_FLAGS,
  direct: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  cache: { type: 'boolean', default: false },
  'no-cache': { type: 'boolean', default: false },
  'callback-url': { type: 'string' },
  'cancel-after': { type: 'string' },
  'expires-in': { type: 'string' },
  force: { type: 'boolean', default: false },
  'skip-existing': { type: 'boolean', default: false },
  concurrency: { type: 'string', default: '4' },
  timeout: { type: 'string' },
  root: { type: 'string', multiple: true },
  http: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  'allow-host': { type: 'string', multiple: true },
  url: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals, tokens } = parse(args);
  const [first, ...files] = positionals;
  const command = commandOf(first, values);
  if (command !== 'help' && command !== 'version')
    checkOptions(
      command,
      tokens.filter((token) => token.kind === 'option'),
    );
  const output = values.out ?? values.output;
  if (output === '') throw new UsageError('The path of --output is empty.');
  if (values.force && values['skip-existing'])
    throw new UsageError('Choose either --force or --skip-existing.');
  const options = readJobOptions(values);
  return {
    command,
    files,
    work: readWork(values, options.step),
    format:
      oneOf('--format', values.format, ['jpeg', 'png', 'webp', 'avif']) ??
      formatOf(/\.\w+$/.exec(output ?? '')?.[0] ?? ''),
    options,
    direct: values.direct,
    dryRun: values['dry-run'],
    cache: values['no-cache'] ? false : values.cache ? true : undefined,
    callbackUrl: values['callback-url'],
    cancelAfter: values['cancel-after'],
    expiresIn: whole('--expires-in', values['expires-in'], 1, 315_360_000),
    output,
    force: values.force,
    skipExisting: values['skip-existing'],
    json: values.json,
    quiet: values.quiet,
    concurrency: whole('--concurrency', values.concurrency, 1, 32)!,
    timeoutMs: milliseconds(whole('--timeout', values.timeout, 1, 86_400)),
    mcp: {
      roots: values.root ?? [],
      httpPort: whole('--http', values.http, 0, 65_535),
      host: values.host,
      allowedHosts: values['allow-host'] ?? [],
    },
    url: values.url,
    key: values.key,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
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
  const command = COMMANDS.find((each) => each === word);
  if (command !== undefined) return command;
  const hint = /[./\\]/.test(word) || isAbsolute(word) ? ` Did you mean "enhance ${word}"?` : '';
  throw new UsageError(`There is no command "${word}".${hint}`);
}

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;
