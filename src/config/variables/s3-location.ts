import type { Descriptor } from './descriptor.js';

/** A bucket and the prefix of its objects. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

const FORMAT = 'address like `s3://bucket/prefix`';
const S3_URL = /^s3:\/\/([^/?#@:\s]+)(?:\/([^?#\s]*))?$/i;

/** An optional location in S3. */
export function s3Location(
  name: string,
  options: { readonly text: string; readonly defaultText: string },
): Descriptor<S3Location | undefined> {
  return {
    name,
    ...options,
    format: FORMAT,
    read: (raw) => {
      if (raw === undefined || raw.trim() === '') return undefined;
      const [, bucket, rest = ''] = S3_URL.exec(raw.trim()) ?? [];
      if (bucket === undefined) throw new Error(`must be an ${FORMAT.replaceAll('`', '')}`);
      const prefix = rest.replace(/^\/+|\/+$/g, '');
      return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
    },
  };
}

/** `s3://bucket/prefix`, for display. */
export function s3UrlOf({ bucket, prefix }: S3Location): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '');
}
