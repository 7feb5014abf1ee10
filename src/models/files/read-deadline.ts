import { UnreadableModelFile } from './unreadable-model-file.js';

/** Limits the time of everything done with one file, even if the file system never responds. */
export class ReadDeadline {
  private readonly startMs = performance.now();

  /** @param limitMs from now on */
  constructor(private limitMs: number) {}

  extend(byMs: number): void {
    this.limitMs += byMs;
  }

  /** The result of a pending operation. @throws UnreadableModelFile when it takes too long */
  async bound<T>(operation: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const passed = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.error()), Math.max(0, this.restMs()));
    });
    try {
      const result = await Promise.race([operation, passed]);
      if (this.restMs() < 0) throw this.error();
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  private restMs(): number {
    return this.startMs + this.limitMs - performance.now();
  }

  private error(): UnreadableModelFile {
    const seconds = Math.ceil(this.limitMs / 1000);
    return new UnreadableModelFile(`cannot be read within ${seconds} s`, 'check the disk that it is on');
  }
}
