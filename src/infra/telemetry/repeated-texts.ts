import { RecentMap } from '../../kernel/recent-map.js';

/** A text that stays is due again after this time. */
const REPEAT_MS = 60_000;
/** Texts that are remembered. */
const MAX_TEXTS = 50;

/** Decides which lines of a log repeat others. In an outage, the same error occurs every few seconds, or more often. */
export class RepeatedTexts {
  private readonly seen = new RecentMap<{ readonly atMs: number; unlogged: number }>(MAX_TEXTS);

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined if the text was due less than a minute ago, otherwise how often it was not due since then */
  due(text: string): number | undefined {
    const before = this.seen.get(text);
    if (before !== undefined && this.nowMs() - before.atMs < REPEAT_MS) {
      before.unlogged++;
      return undefined;
    }
    this.seen.set(text, { atMs: this.nowMs(), unlogged: 0 });
    return before?.unlogged ?? 0;
  }
}

/** The details of a log line, with the number of lines that it stands for. */
export const withRepeats = (error: string, unlogged: number): { error: string; unlogged?: number } =>
  unlogged === 0 ? { error } : { error, unlogged };
