import { describe, expect, it } from 'vitest';
import { flag, integer, integers, oneOf, origins, text, url } from './descriptor.js';

describe('integer', () => {
  const port = integer('PORT', { default: 3000, min: 0, max: 65_535, text: 'Port.' });

  it.each([
    [undefined, 3000],
    ['', 3000],
    ['  ', 3000],
    ['0', 0],
    ['65535', 65_535],
    [' 80 ', 80],
  ])('reads %j as %i', (raw, value) => {
    expect(port.read(raw)).toBe(value);
  });

  it.each(['-1', '65536', '1.5', 'abc', 'NaN', 'Infinity', '80x'])(
    'refuses %j, naming the range and the value',
    (raw) => {
      expect(() => port.read(raw)).toThrow(`must be a whole number from 0 to 65535, not "${raw}"`);
    },
  );
});

describe('flag', () => {
  const trust = flag('TRUST', { default: false, text: 'Trust.' });

  it('accepts only "true" and "false"', () => {
    expect([trust.read(undefined), trust.read('true'), trust.read('false')]).toEqual([false, true, false]);
    for (const raw of ['1', 'yes', 'TRUE', ' true'])
      expect(() => trust.read(raw)).toThrow(/"true" or "false"/);
  });
});

describe('oneOf', () => {
  const level = oneOf('LEVEL', { values: ['low', 'high'], default: 'low', text: 'Level.' });

  it('accepts only one of its words', () => {
    expect([level.read(undefined), level.read('high')]).toEqual(['low', 'high']);
    expect(() => level.read('medium')).toThrow('must be one of low, high, not "medium"');
  });
});

describe('text', () => {
  it('has a default or is optional', () => {
    const dir = text('DIR', { default: './data', text: 'Folder.' });
    const key = text('KEY', { default: undefined, text: 'Key.' });
    expect([dir.read(''), dir.read('/x'), key.read(undefined), key.read('k')]).toEqual([
      './data',
      '/x',
      undefined,
      'k',
    ]);
    expect(key.defaultText).toBe('none');
  });

  it('loses white space around it', () => {
    expect(text('HOST', { default: undefined, text: 'Host.' }).read(' 0.0.0.0\r\n')).toBe('0.0.0.0');
  });
});

describe('url', () => {
  const database = url('DATABASE_URL', { protocols: ['postgres:', 'postgresql:'], text: 'Database.' });

  it('removes a trailing slash', () => {
    expect(database.read('postgres://host/db/')).toBe('postgres://host/db');
    expect(database.read(undefined)).toBeUndefined();
  });

  it('removes white space around it', () => {
    expect(database.read(' postgres://host/db \n')).toBe('postgres://host/db');
  });

  it.each(['postgres:host/db', 'postgres:/host/db', 'postgres:', 'host/db'])(
    'refuses %j, which is no whole address',
    (raw) => {
      expect(() => database.read(raw)).toThrow('must be an address beginning with');
    },
  );

  it('refuses a query and a fragment where paths are appended', () => {
    const base = url('PUBLIC_URL', { protocols: ['http:', 'https:'], isBase: true, text: 'Base.' });
    expect(base.read('HTTPS://images.example/base/')).toBe('HTTPS://images.example/base');
    for (const raw of ['https://images.example/?a=1', 'https://images.example/#x', 'https://images.example?'])
      expect(() => base.read(raw)).toThrow('without ? and #');
    expect(database.read('postgres://host/db?sslmode=require')).toBe('postgres://host/db?sslmode=require');
  });

  it('refuses other protocols without repeating a possible password', () => {
    for (const raw of ['mysql://root:hunter2@host/db', 'hunter2']) {
      expect(() => database.read(raw)).toThrow(/must be an address beginning with postgres:/);
      expect(() => database.read(raw)).not.toThrow(/hunter2/);
    }
  });
});

describe('integers', () => {
  const delays = integers('DELAYS_MS', { default: [0, 5], min: 0, max: 10, text: 'Delays.' });

  it('reads a list, and has a default', () => {
    expect([delays.read(undefined), delays.read('3'), delays.read('1, 2,10')]).toEqual([
      [0, 5],
      [3],
      [1, 2, 10],
    ]);
    expect(delays.defaultText).toBe('`0,5`');
  });

  it.each(['1,,2', 'a', '1,11', '-1', ',', '1.5'])('refuses %j', (raw) => {
    expect(() => delays.read(raw)).toThrow(/^must be /);
  });
});

describe('origins', () => {
  const pages = origins('CORS_ORIGINS', { text: 'Pages.' });

  it.each([
    [undefined, []],
    [' ', []],
    ['*', ['*']],
    ['https://app.example, http://localhost:5173/', ['https://app.example', 'http://localhost:5173']],
    ['HTTPS://App.Example:443', ['https://app.example']],
  ])('reads %j', (raw, value) => {
    expect(pages.read(raw)).toEqual(value);
  });

  it.each([
    'app.example',
    'https://app.example/path',
    'ftp://x',
    'null',
    'https://a.example,',
    '*.example.org',
    'https://user@a.example',
  ])('refuses %j, naming it', (raw) => {
    expect(() => pages.read(raw)).toThrow(/^must be origins such as .*; ".*" is not a valid origin$/);
  });

  it('refuses "*" beside other origins', () => {
    expect(() => pages.read('*,https://app.example')).toThrow(/not both/);
  });
});
