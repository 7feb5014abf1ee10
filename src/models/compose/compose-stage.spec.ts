import { describe, expect, it } from 'vitest';
import { probeSource } from './compose-stage.js';
import { foreignModel } from './foreign-model.js';
import { GraphWriter, type Value } from './graph-writer.js';

/** A chain of additions. */
function chain(nodes: number): Uint8Array {
  const g = new GraphWriter(13);
  let value: Value = g.input('input', 'float32', ['N', 3, 'H', 'W']);
  // The output is a node, too.
  for (let node = 1; node < nodes; node++) value = g.op('Add', [value, g.constant(0.1)]);
  g.output(value, 'output', 'float32', null);
  return g.model(8);
}

describe('a graph that is run a few times only', () => {
  it.each([
    [2_000, false],
    [2_001, true],
  ])('of %i nodes: it is loaded without optimizations: %s', (nodes, isUnoptimized) => {
    const bytes = chain(nodes);
    const source = probeSource(bytes, '/models', foreignModel(bytes));
    expect(source).toMatchObject({ kind: 'bytes', folder: '/models', isUnoptimized });
  });
});
