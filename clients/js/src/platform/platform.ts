/** What differs between Node.js and a page. */
export interface Platform {
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many answers may be held open at once for waiting; a page has six connections for everything. */
  readonly maxHeldConnections: number;
  /** Where the service is when nobody says so. */
  readonly defaultBaseUrl: () => string;
  /** A setting of the environment. */
  readonly setting: (name: string) => string | undefined;
  /** What else may be the reason when an address cannot be reached; empty when there is nothing to say. */
  readonly hintFor: (url: string) => string;
  /** @throws Error where there are no files */
  readonly readFile: (path: string, maxBytes: number) => Promise<Blob>;
  /** Begins a file, which appears whole or not at all. @throws ImageEnhancementError where that cannot be */
  readonly draftFile: (path: string) => Promise<FileDraft>;
  /** Begins a file as `draftFile`, or goes on with what an earlier process has left of it. */
  readonly resumableFile: (path: string) => Promise<ResumableFile>;
}

/** A file that is downloaded, and that another process can go on with. Throws as `FileDraft`. */
export interface ResumableFile {
  /** Of the bytes that are there; null when there are none to go on with. */
  readonly etag: string | null;
  readonly sizeBytes: number;
  /** Empties it, for the bytes of this ETag. */
  readonly restart: (etag: string | null) => Promise<void>;
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Puts it where it belongs, in place of what was there. */
  readonly keep: () => Promise<void>;
  /** Ends the work on it. Unless it was kept, its bytes stay for the next time. */
  readonly close: () => Promise<void>;
}

/** A file that is being written. Each of these throws an ImageEnhancementError when the disk does not do its part. */
export interface FileDraft {
  /** Empties it, for another attempt. */
  readonly restart: () => Promise<void>;
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** SHA-256 of what was written since it was last empty, in hex. */
  readonly sha256: () => string;
  /** Puts it where it belongs, in place of what was there. */
  readonly keep: () => Promise<void>;
  /** Takes it away, if it was not kept. */
  readonly drop: () => Promise<void>;
}
