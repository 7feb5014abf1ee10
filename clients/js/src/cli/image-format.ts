import type { Output } from '../generated/schema.js';

export type Format = NonNullable<Output['format']>;

/** File extension of each format. */
export const EXTENSIONS: Readonly<Record<Format, string>> = {
  jpeg: '.jpg',
  png: '.png',
  webp: '.webp',
  avif: '.avif',
};

/** The extension with its dot. Also works for formats that are newer than this client. */
export function extensionOf(format: string): string {
  const extensions: Readonly<Record<string, string>> = EXTENSIONS;
  return extensions[format] ?? `.${format}`;
}

/** The format for a file extension with its dot, in any case; undefined for any other extension. */
export function formatOf(extension: string): Format | undefined {
  const name = extension.toLowerCase();
  if (name === '.jpeg') return 'jpeg';
  return (Object.keys(EXTENSIONS) as Format[]).find((format) => EXTENSIONS[format] === name);
}
