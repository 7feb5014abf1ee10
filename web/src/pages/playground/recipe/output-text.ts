import { t } from '@lingui/core/macro';
import type { Output } from 'image-enhancement-client';
import { formatName } from '../../../lib/format.js';

/** The service's default quality for each format. PNG is lossless. */
export const DEFAULT_QUALITY: Readonly<Partial<Record<NonNullable<Output['format']>, number>>> = {
  jpeg: 90,
  webp: 85,
  avif: 60,
};

/** A summary of the options that differ from the defaults: `WebP 80, white background, cropped, shadow`. */
export function outputSummary(output: Output): string {
  const { format, quality, background, crop, shadow } = output;
  const quantity = typeof quality === 'number' ? ` ${quality}` : '';
  const words = [
    format === undefined ? null : `${formatName(format)}${quantity}`,
    backgroundWords(background),
    crop === undefined ? null : t`cropped`,
    shadow === undefined || shadow === false ? null : t`shadow`,
  ].filter((word) => word !== null);
  return words.length === 0 ? t`Defaults` : words.join(', ');
}

function backgroundWords(background: Output['background']): string | null {
  if (background === undefined || background === null) return null;
  if (typeof background !== 'string') return t`background image`;
  return background.toLowerCase() === '#ffffff' ? t`white background` : t`background ${background}`;
}
