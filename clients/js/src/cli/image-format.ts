import type { Output } from '../generated/schema.js';

export type Format = NonNullable<Output['format']>;

/** What the name of a file with an image of each format ends in. */
export const EXTENSIONS: Readonly<Record<Format, string>> = {
  jpeg: '.jpg',
  png: '.png',
  webp: '.webp',
  avif: '.avif',
};

/** With its dot, also for a format that is younger than this client. */
export function extensionOf(format: string): string {
  const extensions: Readonly<Record<string, string>> = EXTENSIONS;
  return extensions[format] ?? `.${format}`;
}

/** Of a file whose name ends in `extension` (with its dot), however it is written; undefined for any other. */
export function formatOf(extension: string): Format | undefined {
  const name = extension.toLowerCase();
  if (name === '.jpeg') return 'jpeg';
  return (Object.keys(EXTENSIONS) as Format[]).find((format) => EXTENSIONS[format] === name);
}
