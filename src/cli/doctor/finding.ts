/** `missing`: the service cannot run as configured. `note`: it can, but something could be improved. */
export type FindingStatus = 'ok' | 'note' | 'missing';

/** The result of one check. */
export interface Finding {
  readonly area: string;
  readonly status: FindingStatus;
  /** The result, in plain words. */
  readonly text: string;
  /** What to change. Present unless the status is `ok`. */
  readonly advice?: string;
}

/** Runs one check. A failed check is a finding, not an error. */
export type Examination = () => Promise<readonly Finding[]>;

export function ok(area: string, text: string): Finding {
  return { area, status: 'ok', text };
}

export function note(area: string, text: string, advice: string): Finding {
  return { area, status: 'note', text, advice };
}

export function missing(area: string, text: string, advice: string): Finding {
  return { area, status: 'missing', text, advice };
}

/** The first line of an error's message. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n')[0]!;
}
