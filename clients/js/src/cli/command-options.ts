import { JOB_FLAGS } from './job-options.js';
import { UsageError } from './values.js';
import { WORK_FLAGS } from './work.js';

export const COMMANDS = ['enhance', 'download', 'presets', 'usage', 'operations', 'mcp'] as const;
export type Command = (typeof COMMANDS)[number];

const COMMON = ['url', 'key', 'json', 'quiet', 'help', 'version'];
const WORK = [...Object.keys(WORK_FLAGS), ...Object.keys(JOB_FLAGS), 'format', 'output', 'out'];
const JOBS = ['direct', 'dry-run', 'cache', 'no-cache', 'callback-url', 'cancel-after', 'expires-in'];

/** The options of each command in addition to {@link COMMON}. */
const OWN: Readonly<Record<Command, readonly string[]>> = {
  enhance: [...WORK, ...JOBS, 'force', 'skip-existing', 'concurrency', 'timeout'],
  download: ['output', 'out', 'force', 'timeout'],
  // The extension of --output may set the format of a preset.
  presets: WORK,
  usage: [],
  operations: [],
  mcp: ['root', 'http', 'host', 'allow-host'],
};

/**
 * Refuses the options of other commands, which would be ignored without notice.
 * @param given the names of the options without dashes, and as they were written
 * @throws UsageError
 */
export function checkOptions(
  command: Command,
  given: readonly { readonly name: string; readonly rawName: string }[],
): void {
  const known = new Set([...COMMON, ...OWN[command]]);
  const unknown = given.find(({ name }) => !known.has(name));
  if (unknown !== undefined) throw new UsageError(`${command} has no option "${unknown.rawName}".`);
}
