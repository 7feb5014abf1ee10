/** The kind of a process. Its program has the same name. */
export type ImageProcessKind = 'decoder' | 'encoder';

/** A request: a line of JSON on its standard input, followed by that many bytes of a file. */
export interface ImageRequest {
  /** Length of the file; 0 without one. */
  readonly sizeBytes: number;
}

/** An unparsed line of JSON from its standard output: a malicious image may have taken over the process. */
export interface UncheckedAnswer {
  readonly kind: unknown;
  readonly [name: string]: unknown;
}

/** What a process reports before it reads untrusted bytes. */
export interface ProcessPrivileges {
  /** The user id in the process's own namespace; undefined on systems without users. */
  readonly uid: number | undefined;
  readonly noNewPrivileges: boolean;
}

/** Maximum length of a response line. */
export const MAX_ANSWER_BYTES = 64 * 1024;
