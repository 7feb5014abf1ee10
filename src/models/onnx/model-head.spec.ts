import { describe, expect, it } from 'vitest';
import { modelHead } from './model-head.js';
import { MalformedModel } from './wire.js';

describe('modelHead', () => {
  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(64)],
    ['text', Buffer.from('no model at all')],
  ])('refuses %s', (_name, bytes) => {
    expect(() => modelHead(bytes)).toThrow(MalformedModel);
  });
});
