import type { Output } from '../generated/schema.js';
import type { ImageEnhancement } from '../node.js';

/**
 * The output to send with a request. The service replaces the output of a preset as a whole by that of the request, but
 * a flag or the name of a file says nothing about the rest of it: what is given changes only these fields.
 * @returns undefined when nothing is given, so that the service uses that of the preset
 * @throws NotFoundError `preset_not_found`
 */
export async function requestedOutput(
  client: ImageEnhancement,
  preset: string | undefined,
  given: Output,
  signal: AbortSignal,
): Promise<Output | undefined> {
  if (Object.keys(given).length === 0) return undefined;
  if (preset === undefined) return given;
  const { output } = await client.presets.get(preset, { signal });
  return { ...output, ...given };
}
