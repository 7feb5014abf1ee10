import { describe, expect, it } from 'vitest';
import { bodyOfForm } from './form-fields.js';

const read = (fields: Record<string, string>): unknown => bodyOfForm(new Map(Object.entries(fields)));

describe('bodyOfForm', () => {
  it('reads text, JSON and dotted names', () => {
    expect(
      read({
        operation: 'upscale',
        level: 'high',
        'output.format': 'webp',
        'output.quality': '80',
        metadata: '{"order": "4711"}',
        operations: '[{"operation": "upscale"}]',
        'metadata.number': '42',
      }),
    ).toEqual({
      operation: 'upscale',
      level: 'high',
      output: { format: 'webp', quality: 80 },
      metadata: { order: '4711', number: '42' },
      operations: [{ operation: 'upscale' }],
    });
  });

  it('keeps text that only looks like another type', () => {
    expect(read({ operation: 'true', preset: '12', 'output.background': '#000000', model: 'null' })).toEqual({
      operation: 'true',
      preset: '12',
      output: { background: '#000000' },
      model: 'null',
    });
  });

  it.each(['order-id', '0', 'order id', '名', 'a.b', '.', 'x'.repeat(41), 'constructor'])(
    'takes any key of metadata: %j',
    (key) => {
      expect(read({ [`metadata.${key}`]: '{"4711"' })).toEqual({ metadata: { [key]: '{"4711"' } });
    },
  );

  it('keeps a key of metadata that would set the prototype, so that validation refuses it', () => {
    const { metadata } = read({ 'metadata.__proto__': 'x' }) as { metadata: object };
    expect(Object.entries(metadata)).toEqual([['__proto__', 'x']]);
  });

  it.each([
    [{ 'metadata.a.b': 'x', metadata: '{}' }, 'metadata', 'twice'],
    [{ metadata: 'x', 'metadata.a-b': 'y' }, 'metadata.a-b', 'twice'],
    [{ metadata: '{"a.b":"x"}', 'metadata.a.b': 'y' }, 'metadata.a.b', 'twice'],
    [{ metadata: '{"__proto__":"x"}', 'metadata.__proto__': 'y' }, 'metadata.__proto__', 'twice'],
    [{ output: '{"format":' }, 'output', 'json'],
    [{ output: '{}', 'output.format.deep': 'x', 'output.format': 'webp' }, 'output.format', 'twice'],
    [{ level: 'high', 'level.x': 'y' }, 'level.x', 'twice'],
    [{ __proto__x: 'a' }, '__proto__x', 'unknown'],
    [{ 'a b': 'x' }, 'a b', 'unknown'],
    [{ 'a..b': 'x' }, 'a..b', 'unknown'],
  ])('refuses %j', (fields, field, code) => {
    expect(() => read(fields as Record<string, string>)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        errors: [expect.objectContaining({ field, code })],
      }),
    );
  });

  it('does not pollute prototypes', () => {
    expect(() => read(Object.fromEntries([['__proto__.polluted', 'yes']]))).toThrow(/known field/);
    read({ 'constructor.prototype': 'yes' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
