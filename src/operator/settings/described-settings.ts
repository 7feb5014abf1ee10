import { DESCRIPTORS } from '../../config/env.js';
import { settingsInForce } from '../../config/settings-in-force.js';
import type { DescribedSettingDto } from './settings.dto.js';

const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.values(DESCRIPTORS).map(({ name, text }) => [name, text]),
);

/** The settings of this process, each with its description. */
export function describedSettings(): DescribedSettingDto[] {
  return settingsInForce().map((setting) =>
    Object.assign({}, setting, { description: TEXTS.get(setting.name)! }),
  );
}
