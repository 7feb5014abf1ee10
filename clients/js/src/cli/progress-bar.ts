const WIDTH = 24;
const PERIOD_MS = 100;

/** The progress of one image, 0 to 1, and its current phase. */
interface Part {
  progress: number;
  phase: string;
}

/** A status line that is redrawn in place on a terminal. Prints nothing without a terminal. */
export class ProgressBar {
  private readonly parts = new Map<string, Part>();
  private done = 0;
  private latest = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly count: number,
    private readonly isWanted: boolean,
  ) {}

  update(name: string, phase: string, progress: number): void {
    this.parts.set(name, { progress, phase });
    this.latest = name;
    if (!this.isWanted) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.draw();
    }, PERIOD_MS);
  }

  /** The current stage of all images, and how many are done. */
  stage(name: string, done: number): void {
    this.done = done;
    this.update(name, '', 0);
  }

  finish(name: string): void {
    this.parts.delete(name);
    this.done += 1;
  }

  /** Removes the line, so that something else can be written. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWanted) this.stream.write('\r\u001B[K');
  }

  private draw(): void {
    const running = [...this.parts.values()];
    const share = (this.done + running.reduce((sum, { progress }) => sum + progress, 0)) / this.count;
    const full = Math.round(share * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    const phase = this.parts.get(this.latest)?.phase ?? '';
    const text = `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${this.done}/${this.count}  ${this.latest} ${phase}`;
    this.stream.write(`\r\u001B[K${text.slice(0, (this.stream.columns ?? 80) - 1)}`);
  }
}
