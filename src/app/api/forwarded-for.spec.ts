import { expect, it } from 'vitest';
import { withoutPorts } from './forwarded-for.js';

it.each([
  ['192.0.2.9', '192.0.2.9'],
  ['192.0.2.9:51234', '192.0.2.9'],
  ['10.0.0.1:1, 192.0.2.9:51234', '10.0.0.1, 192.0.2.9'],
  ['2001:db8::9', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['[2001:db8::9]:51234', '2001:db8::9'],
  ['::ffff:192.0.2.9', '::ffff:192.0.2.9'],
  ['unknown', 'unknown'],
  ['', ''],
])('%j has the addresses %j', (header, addresses) => {
  expect(withoutPorts(header)).toBe(addresses);
});
