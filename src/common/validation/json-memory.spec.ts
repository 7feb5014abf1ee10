import { describe, expect, it } from 'vitest';
import { JsonMemory } from './json-memory.js';

const SMALL = 16 * 1024;
const LARGEST = 512 * 1024;
const MOST_OF_CLIENT = 32;
const MOST = 128;

describe('JsonMemory', () => {
  it('refuses a body when its client holds too many, and takes those of others', () => {
    const memory = new JsonMemory();
    const bodies = Array.from({ length: MOST_OF_CLIENT }, () => memory.body('a'));
    for (const body of bodies) body.add(LARGEST);
    const next = memory.body('a');
    expect(() => next.add(SMALL + 1)).toThrow(
      expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: 2 }),
    );
    memory.body('b').add(LARGEST);
    bodies[0]!.release();
    memory.body('a').add(LARGEST);
  });

  it('refuses a body when all clients hold too many', () => {
    const memory = new JsonMemory();
    for (let count = 0; count < MOST; count += 1) memory.body(`client ${count}`).add(LARGEST);
    expect(() => memory.body('another').add(LARGEST)).toThrow('large JSON bodies');
  });

  it('always takes small bodies, and counts those that grow', () => {
    const memory = new JsonMemory();
    const body = memory.body('a');
    body.add(SMALL);
    for (let count = 1; count < MOST_OF_CLIENT; count += 1) memory.body('a').add(LARGEST);
    body.add(LARGEST - SMALL);
    memory.body('a').add(SMALL);
    expect(() => memory.body('a').add(SMALL + 1)).toThrow('large JSON bodies');
    body.release();
    body.release();
    memory.body('a').add(LARGEST);
    expect(() => memory.body('a').add(LARGEST)).toThrow('large JSON bodies');
  });
});
