import { expect, it } from 'vitest';
import { row, table } from '../../../scripts/bench/api/table.mjs';
import { atMost } from '../../../scripts/bench/verdict.mjs';

const summary = (perSecond: number) => ({ perSecond, medianMs: 1_000 / perSecond, p99Ms: 2_000 / perSecond });
const DETAILS = { first: summary(50), second: summary(100) };

it('the results of the HTTP API name both sides of each comparison', () => {
  const compared = row('create a job', 2, '×', atMost(3), DETAILS);
  const cached = row('from the cache', 2, '×', undefined, DETAILS, ['creation', 'read']);
  const alone = row('upload', 20, 'MB', undefined);
  expect(table([compared, cached, alone]).split('\n')).toEqual([
    expect.stringMatching(/^create a job +2\.00 × \(at most 3: yes\)$/),
    expect.stringMatching(/^ {4}service +50\/s {3}median 20\.00 ms {3}p99 40\.00 ms$/),
    expect.stringMatching(/^ {4}bare +100\/s {3}median 10\.00 ms {3}p99 20\.00 ms$/),
    expect.stringMatching(/^from the cache +2\.00 ×$/),
    expect.stringMatching(/^ {4}creation +50\/s/),
    expect.stringMatching(/^ {4}read +100\/s/),
    expect.stringMatching(/^upload +20\.00 MB$/),
    '',
  ]);
  expect(Object.keys((cached as { sides: object }).sides)).toEqual(['creation', 'read']);
});
