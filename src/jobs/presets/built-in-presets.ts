import { AppError } from '../../kernel/app-error.js';
import type { Preset } from './preset.js';

/** The share of the longer side that leaves the subject 85% of a picture, as marketplaces ask for. */
const MARKETPLACE_PADDING = 0.09;

/** Corrects a faded print. */
const OLD_SCAN_STRENGTH = 0.4;

const builtIn = (name: string, preset: Pick<Preset, 'operations' | 'output'>): Preset => ({
  ...preset,
  name,
  createdAt: null,
  updatedAt: null,
});

/** Presets that every account has. docs/presets.md says what each is for. */
export const BUILT_IN_PRESETS: readonly Preset[] = [
  builtIn('portrait', {
    operations: [
      { operation: 'auto_enhance', level: 'low' },
      { operation: 'smooth_skin', level: 'medium' },
    ],
    output: { format: 'jpeg', quality: 92, metadata: 'keep-no-gps' },
  }),
  builtIn('product-on-white', {
    operations: [
      { operation: 'auto_enhance', level: 'low' },
      { operation: 'bg_remove', level: 'high' },
    ],
    output: {
      format: 'jpeg',
      quality: 92,
      background: '#ffffff',
      crop: 'subject',
      padding: MARKETPLACE_PADDING,
      shadow: { opacity: 0.25, blur: 0.02, offsetX: 0, offsetY: 0.015 },
    },
  }),
  builtIn('old-scan', {
    operations: [
      // Every level also amplifies the grain of the print and the noise of the scan.
      { operation: 'auto_enhance', strength: OLD_SCAN_STRENGTH },
      { operation: 'upscale', level: 'medium' },
    ],
    output: { format: 'jpeg', quality: 92, metadata: 'keep' },
  }),
];

const BY_NAME = new Map(BUILT_IN_PRESETS.map((preset) => [preset.name, preset]));

export function builtInPreset(name: string): Preset | undefined {
  return BY_NAME.get(name);
}

/** @throws AppError `preset_read_only` for the name of a built-in preset */
export function refuseBuiltIn(name: string): void {
  if (!BY_NAME.has(name)) return;
  throw new AppError('preset_read_only', {
    detail: `The preset "${name}" is built in and can't be changed or deleted. Save yours under another name.`,
  });
}
