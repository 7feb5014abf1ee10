import { expect, it } from 'vitest';
import { missingRights } from './missing-rights.js';

const withCode = (code: string): Error => Object.assign(new Error(`code ${code}`), { code });

it('says which rights the database user needs', () => {
  expect(missingRights(withCode('42501'))).toBe(
    'The database does not let its user do this (code 42501). Let its user own the database, or grant what docs/postgresql.md lists.',
  );
});

it.each([withCode('42P01'), new Error('no code'), 'text'])('says nothing about %s', (error) => {
  expect(missingRights(error)).toBeUndefined();
});
