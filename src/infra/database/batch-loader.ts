interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/** Concurrent statements: while PostgreSQL runs one, the next is filled and sent. */
const LANES = 2;
/** Maximum inputs per statement; larger statements take proportionally longer. */
const LARGEST = 128;

/**
 * Batches many small queries into few statements: requests that arrive while earlier ones run share the next
 * statement (like group commit in databases, or a GraphQL data loader). An idle process sends a query at
 * once.
 */
export class BatchLoader<Input, Output> {
  private waiting: Waiting<Input, Output>[] = [];
  private running = 0;
  private scheduled = false;

  /**
   * @param loadBatch runs one statement and returns the outputs in the order of the inputs; an error fails all of them
   */
  constructor(private readonly loadBatch: (inputs: readonly Input[]) => Promise<readonly Output[]>) {}

  load(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      // After all requests of the same event loop turn.
      setImmediate(() => {
        this.scheduled = false;
        this.start();
      });
    });
  }

  private start(): void {
    while (this.running < LANES && this.waiting.length > 0) void this.run(this.waiting.splice(0, LARGEST));
  }

  private async run(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    this.running += 1;
    try {
      const outputs = await this.loadBatch(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.running -= 1;
    this.start();
  }
}
