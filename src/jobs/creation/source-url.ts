import type { Fault } from '../../common/validation/checked.validator.js';
import { isStorable } from '../../kernel/storable-text.js';

/** Far more than any address of an upload. */
const MAX_URL_CHARACTERS = 2_000;

/** What is wrong with the `sourceUrl` of a background or a mask. Batches and presets store it as it is. */
export function sourceUrlFault(value: unknown): Fault | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_URL_CHARACTERS;
  if (isText && isStorable(value)) return undefined;
  return { member: 'sourceUrl', problem: 'must be the url of an upload of your account' };
}
