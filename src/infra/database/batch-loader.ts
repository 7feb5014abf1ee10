interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements at a time: while PostgreSQL works on one, the next is filled and sent. */
const LANES = 2;
/** Most inputs of one statement: past it a statement takes longer, not less for each. */
const LARGEST = 128;

/**
 * Answers many small questions with few statements: those that come while earlier ones are asked wait for the
 * next statement and share it (the "group commit" of databases, the data loader of GraphQL servers). An idle
 * process asks at once; a busy one pays a round trip for dozens of requests instead of one for each.
 */
export class BatchLoader<Input, Output> {
  private waiting: Waiting<Input, Output>[] = [];
  private running = 0;
  private scheduled = false;

  /** @param askTogether one statement: the outputs in the order of the inputs; when it throws, all of them fail */
  constructor(private readonly loadBatch: (inputs: readonly Input[]) => Promise<readonly Output[]>) {}

  load(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      // After everything that arrived with the same turn of the event loop.
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
