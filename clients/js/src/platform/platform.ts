/** The differences between Node.js and browsers. */
export interface Platform {
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum responses that may be held open for waiting. A browser has only six connections per host. */
  readonly maxHeldConnections: number;
  /** The default URL of the service. */
  readonly defaultBaseUrl: () => string;
  /** A setting from the environment. */
  readonly setting: (name: string) => string | undefined;
  /** A further possible reason why a URL cannot be reached; empty if there is none. */
  readonly hintFor: (url: string) => string;
  /** @throws Error where there is no file system */
  readonly readFile: (path: string, maxBytes: number) => Promise<Blob>;
  /** Begins a file, which appears complete or not at all. @throws ImageEnhancementError where that is not possible */
  readonly draftFile: (path: string) => Promise<FileDraft>;
  /** Begins a file like `draftFile`, or resumes one that an earlier process has left. */
  readonly resumableFile: (path: string) => Promise<ResumableFile>;
}

/** A file being downloaded, which another process can resume. Throws the same errors as `FileDraft`. */
export interface ResumableFile {
  /** The ETag of the existing bytes; null when there are none to resume. */
  readonly etag: string | null;
  readonly sizeBytes: number;
  /** Empties the file for the bytes of this ETag. */
  readonly restart: (etag: string | null) => Promise<void>;
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Moves the file to its final path, and replaces an existing file. */
  readonly keep: () => Promise<void>;
  /** Closes the file. Unless it was kept, its bytes stay for the next attempt. */
  readonly close: () => Promise<void>;
}

/** A file being written. Every method throws an ImageEnhancementError if the disk fails. */
export interface FileDraft {
  /** Empties the file for another attempt. */
  readonly restart: () => Promise<void>;
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** SHA-256, in hex, of everything written since the file was last emptied. */
  readonly sha256: () => string;
  /** Moves the file to its final path, and replaces an existing file. */
  readonly keep: () => Promise<void>;
  /** Deletes the file, unless it was kept. */
  readonly drop: () => Promise<void>;
}
