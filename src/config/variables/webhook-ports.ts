import { DEFAULT_WEBHOOK_PORTS, HIGHEST_PORT, type PortRange, WELL_KNOWN_PORTS } from '../../kernel/ports.js';
import type { Descriptor } from './descriptor.js';

const FORMAT = 'ports and ranges such as `443,8443,9000-9100`';
const ONE = /^(\d{1,5})(?:-(\d{1,5}))?$/;

/** Ports and port ranges, separated by commas. */
export function ports(name: string, { text }: { readonly text: string }): Descriptor<readonly PortRange[]> {
  return {
    name,
    text: `${text} Left out by default: ${leftOut()}.`,
    defaultText: '80, 443, and from 1024 up all but those of well-known services',
    format: FORMAT,
    read: (raw) =>
      raw === undefined || raw.trim() === ''
        ? DEFAULT_WEBHOOK_PORTS
        : raw.split(',').map((part) => rangeOf(part.trim())),
  };
}

function rangeOf(part: string): PortRange {
  const [, from, to = from] = ONE.exec(part) ?? [];
  const range = { first: Number(from), last: Number(to) };
  if (from === undefined || range.first < 1 || range.last > HIGHEST_PORT || range.first > range.last) {
    throw new Error(`must be ${FORMAT.replaceAll('`', '')}; "${part}" is not a valid port or range`);
  }
  return range;
}

function leftOut(): string {
  return Object.entries(WELL_KNOWN_PORTS)
    .map(([service, numbers]) => `${service} (${numbers.join(', ')})`)
    .join('; ');
}
