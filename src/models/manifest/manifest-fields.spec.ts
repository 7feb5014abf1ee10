import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { checkManifest } from './manifest-check.js';
import { manifestSchema } from './manifest-shape.js';
import { everyField } from '../testing/manifests.js';

type Node = Record<string, unknown>;
type Keys = readonly (string | number)[];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every field of a manifest, including those with fields of their own, by the keys that lead to it. */
function fieldsIn(value: unknown, keys: Keys = []): Keys[] {
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const here = [...keys, Array.isArray(value) ? Number(name) : name];
    return [here as Keys].concat(fieldsIn(child, here));
  });
}

function altered(manifest: Node, keys: Keys, change: (parent: Node, last: string) => void): Node {
  const parent = keys.slice(0, -1).reduce((node, key) => node[key] as Node, manifest);
  change(parent, String(keys.at(-1)));
  return manifest;
}

function faults(value: unknown): readonly string[] {
  const check = checkManifest(value, 'smooth_skin');
  return check.ok ? [] : check.faults;
}

const cases = (['onnx', 'matte', 'tensorflow', 'remote'] as const).flatMap((kind) =>
  fieldsIn(everyField()[kind]).map((keys) => ({ kind, keys, path: keys.join('.') })),
);

/** The names of all fields in a JSON Schema, at any depth. */
function fieldNames(schema: unknown): string[] {
  if (!isNode(schema)) return [];
  return Object.entries(schema).flatMap(([key, child]) =>
    (key === 'properties' ? Object.keys(child as Node) : []).concat(fieldNames(child)),
  );
}

const validate = new Ajv2020({ strict: false }).compile(manifestSchema());

describe('every field of a manifest', () => {
  it('is in the table below', () => {
    const tested = new Set(cases.flatMap(({ keys }) => keys.map(String)));
    expect(fieldNames(manifestSchema()).filter((name) => !tested.has(name))).toEqual([]);
    expect(cases.length).toBeGreaterThan(100);
  });

  it('is accepted if valid, by the service and by the published schema', () => {
    for (const manifest of Object.values(everyField())) {
      expect(faults(manifest)).toEqual([]);
      expect(validate(manifest), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it.each(cases)('$kind: $path is refused by name if invalid', ({ kind, keys, path }) => {
    for (const wrong of [null, true, '', [[]], { unknown: {} }]) {
      const manifest = altered(everyField()[kind], keys, (parent, last) => (parent[last] = wrong));
      expect(faults(manifest).join('\n'), JSON.stringify(wrong)).toContain(path);
      expect(validate(manifest), `${path} = ${JSON.stringify(wrong)} by the schema`).toBe(false);
    }
  });

  it.each(cases)('$kind: $path is refused if missing, unless it is optional', ({ kind, keys }) => {
    const manifest = altered(everyField()[kind], keys, (parent, last) => {
      if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
    });
    const found = faults(manifest);
    // Service and schema agree on what is required; only the service knows the rules between fields.
    if (validate(manifest)) expect(found.filter((fault) => fault.endsWith('missing'))).toEqual([]);
    else expect(found.join('\n')).toMatch(/missing|must be a list with|at least one entry/);
  });
});
