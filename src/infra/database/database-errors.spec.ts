import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionRefusal, isDatabaseUnavailable, isRepeatable, missingRights } from './database-errors.js';

const withCode = (code: string): Error => Object.assign(new Error(`code ${code}`), { code });

/** Returns what `work` throws. */
async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('isDatabaseUnavailable', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server?.close();
  });

  it('is true for a missing socket file, but for no other file', async () => {
    const missing = join(tmpdir(), 'ies-nothing-here');
    const connecting = await thrownBy(() => new pg.Client({ host: missing, user: 'nobody' }).connect());
    expect(connecting).toMatchObject({ code: 'ENOENT' });
    expect(isDatabaseUnavailable(connecting)).toBe(true);
    expect(isDatabaseUnavailable(await thrownBy(() => readFile(missing)))).toBe(false);
  });

  it('is true for a server that accepts a statement and never answers', async () => {
    server = createServer((socket) => {
      sockets.push(socket);
      // The first message is the session start: "authenticated", "ready for query". Then silence.
      socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')));
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'nobody', query_timeout: 50 });
    client.on('error', () => undefined);
    await client.connect();
    expect(isDatabaseUnavailable(await thrownBy(() => client.query('SELECT 1')))).toBe(true);
  });

  it('is true for a server that accepts a connection and never answers', async () => {
    server = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'nobody', connectionTimeoutMillis: 50 });
    client.on('error', () => undefined);
    expect(isDatabaseUnavailable(await thrownBy(() => client.connect()))).toBe(true);
  });

  it.each(['ECONNABORTED', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH'])(
    'is true for a network that reports %s',
    (code) => {
      const error = Object.assign(new Error(`connect ${code} 192.0.2.1:5432`), { code });
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect(isDatabaseUnavailable(new AggregateError([error]))).toBe(true);
    },
  );

  it('is true for a transaction that ran no statement for too long', () => {
    const text = 'terminating connection due to idle-in-transaction timeout';
    expect(isDatabaseUnavailable(Object.assign(new Error(text), { code: '25P03' }))).toBe(true);
  });

  it.each(['28000', '28P01', '3D000'])('is true for a server that refuses the connection with %s', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it('is false for an invalid statement', () => {
    const wrong = Object.assign(new Error('duplicate key'), { code: '23505' });
    expect(isDatabaseUnavailable(wrong)).toBe(false);
  });
});

describe('isRepeatable', () => {
  it.each([
    ['57014', 'canceling statement due to statement timeout'],
    ['55P03', 'canceling statement due to lock timeout'],
    ['40P01', 'deadlock detected'],
    ['40001', 'could not serialize access due to concurrent update'],
  ])('is true for %s (%s), although the database is available', (code, message) => {
    const error = Object.assign(new Error(message), { code });
    expect(isRepeatable(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it('is true while the database is unavailable', () => {
    expect(isRepeatable(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBe(true);
  });

  it('is false for an invalid statement', () => {
    expect(isRepeatable(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false);
    expect(isRepeatable('55P03')).toBe(false);
  });
});

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

describe('missingRights', () => {
  it('says which rights the database user needs', () => {
    expect(missingRights(withCode('42501'))).toBe(
      'The database does not let its user do this (code 42501). Let its user own the database, or grant what docs/postgresql.md lists.',
    );
  });

  it.each([withCode('42P01'), new Error('no code'), 'text'])('says nothing about %s', (error) => {
    expect(missingRights(error)).toBeUndefined();
  });
});
