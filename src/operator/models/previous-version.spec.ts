import { expect, it } from 'vitest';
import { previousOf } from './previous-version.js';

it.each([
  { why: 'the version that nobody chose', serving: null, previous: null, offered: 3, next: 1, is: 3 },
  { why: 'the choice that serves', serving: 1, previous: 3, offered: 1, next: 4, is: 1 },
  { why: 'the version that serves instead of a choice', serving: 4, previous: 1, offered: 1, next: 5, is: 1 },
  { why: 'the choice that is left', serving: 1, previous: 3, offered: 3, next: 3, is: 1 },
  { why: 'the choice while no worker serves', serving: 2, previous: 1, offered: null, next: null, is: 2 },
  { why: 'what it was, if it stays', serving: null, previous: 1, offered: 3, next: 3, is: 1 },
  { why: 'unknown without a worker', serving: null, previous: null, offered: null, next: 1, is: null },
])('is $why', ({ serving, previous, offered, next, is }) => {
  expect(previousOf({ serving, previous }, offered, next)).toBe(is);
});
