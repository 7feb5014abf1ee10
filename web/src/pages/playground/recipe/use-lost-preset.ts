import { useState } from 'react';
import type { Preset } from '../../../api/presets/presets.js';

/**
 * Tells whether the chosen preset of the account was deleted in another tab or by somebody else, while its settings are
 * still chosen.
 * @param presets undefined until they are read
 * @param current the preset that has the chosen settings
 * @param text of the chosen settings
 */
export function useLostPreset(
  presets: readonly Preset[] | undefined,
  current: Preset | undefined,
  text: string,
) {
  const [known, setKnown] = useState<{ readonly name: string; readonly text: string } | null>(null);
  const isOwn = current?.isBuiltIn === false;
  if (isOwn && (known?.name !== current.name || known.text !== text)) setKnown({ name: current.name, text });
  const isLost =
    presets !== undefined && known?.text === text && presets.every(({ name }) => name !== known.name);
  return { name: isLost ? known.name : null, forget: () => setKnown(null) };
}
