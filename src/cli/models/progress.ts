import { SingleBar } from 'cli-progress';

/** A progress bar on standard error for long work; silent when standard error is not a terminal. */
export interface Progress {
  begin(total: number, text: string): void;
  /** @param done steps of the total that are done */
  to(done: number, text?: string): void;
  end(): void;
}

const SILENT: Progress = { begin: () => undefined, to: () => undefined, end: () => undefined };
const WIDTH = 30;
const TEXT = 60;

/** @param isWanted false with `--json`, because the reader is a program */
export function progressBar(isWanted: boolean): Progress {
  if (!isWanted || !process.stderr.isTTY) return SILENT;
  const bar = new SingleBar({
    format: '{bar} {percentage}% {text}',
    barsize: WIDTH,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
    barCompleteChar: '█',
    barIncompleteChar: '░',
  });
  const shortened = (text: string): string => text.slice(0, TEXT).padEnd(TEXT);
  return {
    begin: (total, text) => bar.start(Math.max(1, total), 0, { text: shortened(text) }),
    to: (done, text) => bar.update(done, text === undefined ? {} : { text: shortened(text) }),
    end: () => bar.stop(),
  };
}
