/** `missing`: the service does not run as it is configured. `note`: it does, and something could be better. */
export type FindingStatus = 'ok' | 'note' | 'missing';

/** One thing that was looked at. */
export interface Finding {
  readonly area: string;
  readonly status: FindingStatus;
  /** What was found, in plain words. */
  readonly text: string;
  /** What to change; with every finding that is not `ok`. */
  readonly advice?: string;
}

/** Looks at one thing. Never throws for what it finds. */
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

/** The first line of what an error says. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n')[0]!;
}
