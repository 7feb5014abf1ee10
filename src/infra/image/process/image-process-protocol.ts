/** What a process does, which its program is named for. */
export type ImageProcessKind = 'decoder' | 'encoder';

/** What a process is asked: a line of JSON on its standard input, then that many bytes of a file. */
export interface ImageRequest {
  /** Of the file that follows; 0 when none does. */
  readonly sizeBytes: number;
}

/** A line of JSON on its standard output, as it came: the process may be in the hands of whoever made the image. */
export interface UncheckedAnswer {
  readonly kind: unknown;
  readonly [name: string]: unknown;
}

/** What a process says of itself before it has seen a stranger's byte. */
export interface ProcessPrivileges {
  /** As its own namespace counts; undefined on systems without users. */
  readonly uid: number | undefined;
  readonly noNewPrivileges: boolean;
  readonly hasNetwork: boolean;
}

/** Longest line it may answer. */
export const MAX_ANSWER_BYTES = 64 * 1024;
