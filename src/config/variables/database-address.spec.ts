import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { databaseAddress } from './database-address.js';

const { read } = databaseAddress('DATABASE_URL', { text: 'A database.' });
const ADDRESS = 'postgres://user:p%40ss@db.example:5432/ies';
/** Any readable file. */
const FILE = fileURLToPath(import.meta.url);
const parametersOf = (raw: string) => Object.fromEntries(new URL(read(raw)!).searchParams);

describe('databaseAddress', () => {
  it('leaves an address without sslmode as it is', () => {
    expect(read(ADDRESS)).toBe(ADDRESS);
    expect(read(undefined)).toBeUndefined();
    expect(read(`${ADDRESS}?application_name=x`)).toBe(`${ADDRESS}?application_name=x`);
  });

  it.each(['disable', 'require', 'verify-full'])('makes the driver read sslmode=%s as libpq does', (mode) => {
    const raw = `${ADDRESS}?sslmode=${mode}`;
    expect(parametersOf(raw)).toEqual({ sslmode: mode, uselibpqcompat: 'true' });
    expect(new URL(read(raw)!).password).toBe('p%40ss');
    expect(read(read(raw))).toBe(read(raw));
  });

  it('keeps the certificate authority file, and uses the public authorities for "system"', () => {
    expect(parametersOf(`${ADDRESS}?sslmode=verify-ca&sslrootcert=${FILE}`)).toMatchObject({
      sslmode: 'verify-ca',
      sslrootcert: FILE,
    });
    for (const parameters of ['sslmode=verify-full&sslrootcert=system', 'sslrootcert=system'])
      expect(parametersOf(`${ADDRESS}?${parameters}`)).toEqual({
        sslmode: 'verify-full',
        uselibpqcompat: 'true',
      });
  });

  it.each([
    ['sslmode=prefer', /sslmode=prefer; supported are disable, require, verify-ca, verify-full/],
    ['sslmode=verify-ca', /without sslrootcert/],
    [
      'sslmode=verify-ca&sslrootcert=system',
      /sslrootcert=system with sslmode=verify-ca; use sslmode=verify-full/,
    ],
    [
      'sslmode=require&sslrootcert=system',
      /sslrootcert=system with sslmode=require; use sslmode=verify-full/,
    ],
    ['sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /sslrootcert that cannot be read: \/nowhere\/ca.pem/],
    ['sslmode=require&sslkey=/nowhere/key.pem', /sslkey that cannot be read/],
  ])('refuses %s without repeating the password', (parameters, reason) => {
    expect(() => read(`${ADDRESS}?${parameters}`)).toThrow(reason);
    expect(() => read(`${ADDRESS}?${parameters}`)).not.toThrow(/p%40ss|p@ss/);
  });
});
