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
  /** @throws Error where there are no files */
  readonly readFile: (path: string, maxBytes: number) => Promise<Blob>;
  /** The file appears whole or not at all. @throws Error where there are no files */
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<void>;
}
