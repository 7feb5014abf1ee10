import { describe, expect, it } from 'vitest';
import { eventRows } from './outbox.js';

describe('eventRows', () => {
  it('gives an event and each of its aliases an id of its own, in order', () => {
    const { ids, types } = eventRows('enhancement.completed');
    expect(types).toEqual(['enhancement.completed', 'job.completed', 'image.completed']);
    expect(new Set(ids).size).toBe(3);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  });
});
