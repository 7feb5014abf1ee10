import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.js';
import { LogTail } from './log-tail.js';

describe('LogTail', () => {
  it('keeps the last lines, each up to a maximum length', () => {
    const tail = new LogTail();
    for (let n = 0; n < 700; n += 1) tail.add(`line ${n}\n`);
    tail.add('x'.repeat(10_000));
    const lines = tail.lines();
    expect(lines).toHaveLength(500);
    expect(lines[0]).toBe('line 201');
    expect(lines.at(-1)).toHaveLength(2_000);
  });

  it('keeps no secret', () => {
    const tail = new LogTail(['correct horse', '']);
    tail.add('"key":"ies_abcdefgh_0123456789" secret whsec_AbC+/= password correct horse');
    tail.add('GET /files/src_1.jpg?exp=1&sig=abc-_123 from postgres://me:pass@db/ies');
    tail.add(`"path":"/share/${'a-_7'.repeat(11).slice(1)}/photo" from /usr/share/keyrings`);
    expect(tail.lines()).toEqual([
      '"key":"ies_…" secret whsec_… password …',
      'GET /files/src_1.jpg?exp=1&sig=… from postgres://…@db/ies',
      '"path":"/share/…/photo" from /usr/share/keyrings',
    ]);
  });

  it('receives every line that the logger writes', () => {
    const tail = new LogTail();
    createLogger('worker', 'warn', tail).warn({ jobId: 'job_1' }, 'something');
    createLogger('worker', 'fatal', tail).warn('not written');
    const [line, ...others] = tail.lines().map((text) => JSON.parse(text) as unknown);
    expect(line).toMatchObject({ role: 'worker', jobId: 'job_1', msg: 'something' });
    expect(others).toEqual([]);
  });
});
