import { readFileSync } from 'node:fs';

/**
 * The bytes of private memory that are both writable and executable, from the text of `/proc/<pid>/maps`. Since V8 12
 * (Node.js 22), this is the code range of 512 MB, reserved at startup; earlier, it was a few kilobytes.
 */
export function writableCodeBytes(maps: string): number {
  const ranges = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp /gm)];
  return ranges.reduce((sum, [, from, to]) => sum + parseInt(to!, 16) - parseInt(from!, 16), 0);
}

let reserved: number | undefined;

/**
 * The bytes that a Node.js process like this one reserves for compiled code. The kernel counts the reservation as data,
 * used or not, so the data limit of such a process must be higher by this amount. 0 without /proc.
 */
export function reservedCodeBytes(): number {
  reserved ??= writableCodeBytes(ownMaps());
  return reserved;
}

function ownMaps(): string {
  try {
    return readFileSync('/proc/self/maps', 'latin1');
  } catch {
    return '';
  }
}
