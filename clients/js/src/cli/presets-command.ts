import type { Preset } from '../generated/schema.js';
import type { ImageEnhancement } from '../node.js';
import { type CommandLine, UsageError } from './arguments.js';
import { RequestParts } from './request-parts.js';

/** Lists, shows, saves, and deletes presets. @returns the text to print */
export async function presetsText(
  client: ImageEnhancement,
  line: CommandLine,
  signal: AbortSignal,
): Promise<string> {
  const [verb = 'list', name, ...rest] = line.files;
  if (verb === 'list' && name === undefined) {
    const presets = await client.presets.list({ signal });
    return presets.map((preset) => lineOf(preset, line.json)).join('');
  }
  if (name === undefined || rest.length > 0 || !VERBS.has(verb)) {
    throw new UsageError('presets list, or presets show, save or delete with the name of a preset.');
  }
  if (verb === 'delete') {
    await client.presets.delete(name, { signal });
    return '';
  }
  const preset =
    verb === 'show' ? await client.presets.get(name, { signal }) : await save(client, line, name, signal);
  return line.json ? lineOf(preset, true) : `${JSON.stringify(preset, null, 2)}\n`;
}

const VERBS: ReadonlySet<string> = new Set(['show', 'save', 'delete']);

async function save(
  client: ImageEnhancement,
  line: CommandLine,
  name: string,
  signal: AbortSignal,
): Promise<Preset> {
  const { steps } = line.work;
  if (steps === undefined) throw new UsageError('Name the operations of the preset: --operation, --then');
  const { output } = await new RequestParts(client, line, signal).output();
  const preset = { operations: [...steps], ...(output === undefined ? {} : { output }) };
  return client.presets.save(name, preset, { signal });
}

/** `portrait  auto_enhance:low, smooth_skin:medium  built in`. */
function lineOf(preset: Preset, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(preset)}\n`;
  const steps = preset.operations.map(({ operation, level }) =>
    level === undefined ? operation : `${operation}:${level}`,
  );
  return `${preset.name}  ${steps.join(', ')}${preset.isBuiltIn ? '  built in' : ''}\n`;
}
