import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

interface Operation {
  readonly operation: string;
  readonly levels: readonly string[];
  readonly scales: Readonly<Record<string, number>>;
  readonly producesAlpha: boolean;
}

describe('GET /api/ai/operations → 200', () => {
  it('lists the specified operations with their levels', async () => {
    const { key } = await harness.createAccount();
    const { status, body } = await harness.call('GET', '/api/ai/operations', { key });
    expect(status).toBe(200);
    const { data } = body as { data: Operation[] };
    const byName = new Map(data.map((operation) => [operation.operation, operation]));
    for (const name of ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove']) {
      expect(byName.get(name)?.levels).toEqual(['low', 'medium', 'high']);
      expect(byName.get(name)?.producesAlpha).toBe(name === 'bg_remove');
    }
    expect(byName.get('upscale')?.scales).toEqual({ low: 2, medium: 2, high: 4 });
    expect(byName.get('smooth_skin')?.scales).toEqual({ low: 1, medium: 1, high: 1 });
  });
});
