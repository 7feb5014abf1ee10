import { describe, expect, it } from 'vitest';
import { connectionRefusal } from './connection-refusal.js';

const withCode = (code: string): Error => Object.assign(new Error(`code ${code}`), { code });

describe('connectionRefusal', () => {
  it.each(['28000', '28P01', '3D000'])('says for %s what to check', (code) => {
    expect(connectionRefusal(withCode(code))).toBe(
      `The database refuses the connection (code ${code}). Check user, password and name of the database in DATABASE_URL.`,
    );
  });

  it.each([withCode('42P01'), withCode('ECONNREFUSED'), new Error('no code'), 'text'])(
    'says nothing about %s',
    (error) => {
      expect(connectionRefusal(error)).toBeUndefined();
    },
  );
});
