import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, SERVICE_EVENT_TYPES } from '../event-types.js';
import { EVENT_CATALOG, SERVICE_EVENT_CATALOG } from './event-catalog.js';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, validateFormats: false });
const ENTRIES = [...EVENT_CATALOG, ...SERVICE_EVENT_CATALOG];
const VALIDATORS = new Map(ENTRIES.map((entry) => [entry.type, ajv.compile(entry.schema)]));

describe('EVENT_CATALOG', () => {
  it('has every type once', () => {
    expect(EVENT_CATALOG.map(({ type }) => type)).toEqual(EVENT_TYPES);
    expect(SERVICE_EVENT_CATALOG.map(({ type }) => type)).toEqual(SERVICE_EVENT_TYPES);
  });

  it.each(ENTRIES)('$type: the example matches the schema', ({ type, example }) => {
    const validate = VALIDATORS.get(type)!;
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(ENTRIES)('$type: no example of another type matches', ({ type }) => {
    const validate = VALIDATORS.get(type)!;
    const passing = ENTRIES.filter((other) => validate(other.example));
    expect(passing.map((other) => other.type)).toEqual([type]);
  });

  it.each(ENTRIES)('$type: a body without data or with an invalid id does not match', ({ type, example }) => {
    const validate = VALIDATORS.get(type)!;
    const { data: _data, ...without } = example;
    expect(validate(without)).toBe(false);
    expect(validate({ ...example, id: 'evt_1' })).toBe(false);
  });
});
