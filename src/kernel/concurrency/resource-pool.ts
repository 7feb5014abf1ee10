interface Waiting<T> {
  readonly resolve: (item: T) => void;
  readonly reject: (reason: Error) => void;
}

/** A pool of resources. Callers wait for a free one, first come, first served. */
export class ResourcePool<T> {
  private readonly waiting: Waiting<T>[] = [];
  private refusal: Error | null = null;

  /** @param free the resources, taken from the end */
  constructor(private readonly free: T[]) {}

  /** @throws the reason passed to `refuse` */
  take(): Promise<T> {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    const item = this.free.pop();
    if (item !== undefined) return Promise.resolve(item);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  give(item: T): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(item);
    else next.resolve(item);
  }

  /** Rejects waiting and future callers: no resource will be returned. */
  refuse(reason: Error): void {
    this.refusal = reason;
    for (const { reject } of this.waiting.splice(0)) reject(reason);
  }
}
