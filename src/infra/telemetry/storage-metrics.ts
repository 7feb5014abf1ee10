import { Counter, Histogram } from 'prom-client';
import { AppError } from '../../kernel/app-error.js';
import { ERROR_CODES } from '../../kernel/errors/error-codes.js';
import type { ObjectStore, PendingObject } from '../storage/object-store.js';
import type { Metrics } from './metrics.js';

/** The measured operations. Others are rare, or are called by the metrics themselves. */
const STORE = ['put', 'open', 'read', 'delete', 'beginWrite', 'check'] as const;
const PENDING = ['write', 'seal', 'commit'] as const;
type Operation = (typeof STORE)[number] | (typeof PENDING)[number];

type End = 'done' | 'failed' | 'missing';
type Call = (...values: never[]) => Promise<unknown>;

/** Duration and failures of the object store. */
export class StorageMetrics {
  private readonly operations: Counter<'operation' | 'end'>;
  private readonly seconds: Histogram<'operation'>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.operations = new Counter({
      name: 'ies_storage_operations_total',
      help: 'Operations of the object store by outcome; "missing": the object does not exist.',
      labelNames: ['operation', 'end'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'ies_storage_operation_seconds',
      help: 'Time of one operation; that of "open" ends before the bytes are read.',
      labelNames: ['operation'],
      buckets: [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    });
  }

  /** Wraps a store with measurements. The result is still an instance of the store's class. */
  watch(store: ObjectStore): ObjectStore {
    return this.measured(store, STORE, (name, result) =>
      name === 'beginWrite' ? this.measured(result as PendingObject, PENDING) : result,
    );
  }

  private measured<Target extends object>(
    target: Target,
    names: readonly Operation[],
    wrap: (name: Operation, result: unknown) => unknown = (_name, result) => result,
  ): Target {
    const isMeasured = (name: string | symbol): name is Operation => names.includes(name as Operation);
    return new Proxy(target, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        // Private fields belong to the object behind the proxy.
        const call = (value as Call).bind(target);
        if (!isMeasured(name)) return call;
        return async (...values: never[]) => wrap(name, await this.measure(name, () => call(...values)));
      },
    });
  }

  private async measure(operation: Operation, work: () => Promise<unknown>): Promise<unknown> {
    const startedMs = performance.now();
    let end: End = 'done';
    try {
      return await work();
    } catch (error) {
      end = endOf(error);
      throw error;
    } finally {
      this.operations.inc({ operation, end });
      this.seconds.observe({ operation }, (performance.now() - startedMs) / 1_000);
    }
  }
}

/** A caller may refuse what the client wants of an object that is there, such as bytes beyond its end. */
function endOf(error: unknown): End {
  if (!(error instanceof AppError)) return 'failed';
  if (error.code === 'gone') return 'missing';
  return ERROR_CODES[error.code].status < 500 ? 'done' : 'failed';
}
