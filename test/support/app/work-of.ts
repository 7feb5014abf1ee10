import { vi } from 'vitest';
import { Database, type Prepared } from '../../../src/infra/database/database.js';
import { PasswordHasher } from '../../../src/infra/passwords/password-hasher.js';
import type { Harness } from './harness.js';

/** Where every statement passes, including those of a transaction. */
interface Traced {
  traced: (statement: Prepared | string, work: () => Promise<unknown>) => Promise<unknown>;
}

/** What the service does by itself, whatever the request is: periodic reads, and the dispatch of an earlier job. */
const BACKGROUND = new Set(['model_workers_all', 'model_choices_all', 'job_mark_enqueued']);

/** The expensive work of a request: its statements by name, and `hash` and `verify`, in order. */
export async function workOf(harness: Harness, request: () => Promise<unknown>): Promise<string[]> {
  const database = harness.app.get<Database, Traced>(Database);
  const hasher = harness.app.get(PasswordHasher);
  const noted = [
    vi.spyOn(database, 'traced').mockName('statement'),
    vi.spyOn(hasher, 'hash').mockName('hash'),
    vi.spyOn(hasher, 'verify').mockName('verify'),
  ] as const;
  try {
    await request();
    const calls = noted.flatMap((spy) =>
      spy.mock.calls.map(([first], index) => ({
        order: spy.mock.invocationCallOrder[index]!,
        name: spy.getMockName(),
        first,
      })),
    );
    return calls
      .toSorted((a, b) => a.order - b.order)
      .map(({ name, first }) => (typeof first === 'object' && first !== null ? first.name : name))
      .filter((name) => !BACKGROUND.has(name));
  } finally {
    for (const spy of noted) spy.mockRestore();
  }
}
