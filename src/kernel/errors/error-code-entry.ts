/** One error of the table of errors that clients can get. */
export interface ErrorCodeEntry {
  /** HTTP status. A request that waits for a picture also gets it when the job failed with this error. */
  readonly status: number;
  /** Short human title, the same for every occurrence (RFC 9457 `title`). */
  readonly title: string;
  /** Whether the same request can succeed later without changes. */
  readonly retryable: boolean;
  /** What it means and what to do, for the documentation page. */
  readonly text: string;
}

/** An entry of the table: status, title, whether a retry helps, and the text of the documentation. */
export const entry = (status: number, title: string, retryable: boolean, text: string): ErrorCodeEntry => ({
  status,
  title,
  retryable,
  text,
});
