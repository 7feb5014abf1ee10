import type { Output } from '../generated/schema.js';
import type { ImageEnhancement } from '../node.js';

/** What a preset says about its picture, and not about a mask or edges. The service refuses the first two with them. */
const OF_PICTURES = ['background', 'shadow', 'format', 'quality'] as const;

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
  return { ...fitting(output ?? {}, given), ...given };
}

/** The output of a preset without what contradicts the given one, because nobody could take that out of the request. */
function fitting(output: Output, given: Output): Output {
  const rest = { ...output };
  if (isMatte(given)) for (const field of OF_PICTURES) delete rest[field];
  const isPicture = (given.background ?? null) !== null || (given.shadow ?? false) !== false;
  if (isPicture && isMatte(rest)) delete rest.kind;
  return rest;
}

const isMatte = ({ kind }: Output): boolean => kind === 'mask' || kind === 'edges';
