/** A file of an archive, stored without compression. */
export interface ZipFile {
  /** Path in the archive, with `/`. */
  readonly name: string;
  /** Below 4 GiB. */
  readonly sizeBytes: number;
  /** Unsigned, of the whole file. */
  readonly crc32: number;
  /** Stored in UTC, to two seconds. */
  readonly modifiedAt: Date;
}
