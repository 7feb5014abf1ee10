import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPostmasterFile } from './postmaster-file.js';

describe('readPostmasterFile', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'ies-postmaster-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const write = (text: string) => writeFileSync(join(dir, 'postmaster.pid'), text);

  it('is undefined without a file and for a damaged one', () => {
    expect(readPostmasterFile(dir)).toBeUndefined();
    write('nonsense');
    expect(readPostmasterFile(dir)).toBeUndefined();
    write('');
    expect(readPostmasterFile(dir)).toBeUndefined();
  });

  it('reads a starting and a ready server', () => {
    write('77\n/data\n1795250807\n5544\n\n127.0.0.1\n  1 2\nstarting\n');
    expect(readPostmasterFile(dir)).toEqual({ pid: 77, port: 5544, ready: false });
    write('77\n/data\n1795250807\n5544\n\n127.0.0.1\n  1 2\nready   \n');
    expect(readPostmasterFile(dir)).toEqual({ pid: 77, port: 5544, ready: true });
  });
});
