import { describe, expect, it } from 'vitest';
import { clientTypes, sessionTypes } from './client-types.js';

const uses = (name: string) => ({ '/api/ai/x': { get: { $ref: `#/components/schemas/${name}` } } });
const typesOf = (schemas: object, paths: object = uses('Thing')) =>
  clientTypes({ paths, components: { schemas } });

describe('clientTypes', () => {
  it('writes an interface with required and optional members and their descriptions', () => {
    const text = typesOf({
      Thing: {
        type: 'object',
        description: 'A thing.',
        required: ['id', 'size'],
        properties: {
          id: { type: 'string', description: 'Its  name */ here.' },
          size: { type: 'integer' },
          note: { type: ['string', 'null'] },
          kind: { type: 'string', enum: ['a', 'b'] },
          maybe: { type: ['string', 'null'], enum: ['c', null] },
        },
      },
    });
    expect(text).toContain('/** A thing. */\nexport interface Thing {\n');
    expect(text).toContain('  /** Its name *\\/ here. */\n  id: string;\n  size: number;\n');
    expect(text).toContain('  note?: string | null;\n  kind?: "a" | "b";\n  maybe?: "c" | null;\n}');
  });

  it('writes references, lists, maps, unions, and nested objects', () => {
    const text = typesOf({
      Thing: {
        type: 'object',
        properties: {
          one: { $ref: '#/components/schemas/Part' },
          two: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
          three: { allOf: [{ $ref: '#/components/schemas/Part' }], description: 'x' },
          many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          map: { type: 'object', additionalProperties: { type: 'integer' } },
          any: { type: 'object', additionalProperties: true },
          inner: { type: 'object', properties: { x: { type: 'boolean' } } },
        },
      },
      Part: { type: 'string' },
    });
    expect(text).toContain('one?: Part;');
    expect(text).toContain('two?: Part | null;');
    expect(text).toContain('/** x */\n  three?: Part;');
    expect(text).toContain('many?: Array<"a" | "b">;');
    expect(text).toContain('map?: Record<string, number>;');
    expect(text).toContain('any?: Record<string, unknown>;');
    expect(text).toContain('inner?: {\n    x?: boolean;\n  };');
    expect(text).toContain('export type Part = string;');
  });

  it('leaves out schemas that the customer API does not use', () => {
    const schemas = { Thing: { type: 'string' }, Other: { type: 'string' } };
    expect(typesOf(schemas)).not.toContain('Other');
    expect(typesOf(schemas, { '/internal': uses('Other') })).not.toContain('export');
  });
});

describe('sessionTypes', () => {
  it('declares the types that only the dashboard uses, and imports the rest', () => {
    const schemas = {
      Thing: { type: 'string' },
      Unused: { type: 'string' },
      Page: { type: 'object', properties: { things: { $ref: '#/components/schemas/Thing' } } },
    };
    const published = { paths: uses('Thing'), components: { schemas } };
    const text = sessionTypes({ paths: uses('Page'), components: { schemas } }, published);
    expect(text).toContain("import type { Thing } from 'image-enhancement-client';");
    expect(text).toContain('export interface Page {\n  things?: Thing;\n}');
    expect(text).not.toMatch(/Unused|interface Thing|type Thing /);
  });
});
