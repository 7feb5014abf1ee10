import { readFileSync } from 'node:fs';

/**
 * The bytes of private memory that are mapped both writable and executable, from the text of `/proc/<pid>/maps`. Since
 * V8 12 (Node.js 22) that is the range for compiled code, 512 MB reserved as a whole at the start; before, a few kilobytes.
 */
export function writableCodeBytes(maps: string): number {
  const ranges = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp /gm)];
  return ranges.reduce((sum, [, from, to]) => sum + parseInt(to!, 16) - parseInt(from!, 16), 0);
}

let reserved: number | undefined;

/**
 * What a Node.js process like this one reserves for compiled code, bytes. The kernel counts the reservation as data, used or not,
 * so a limit on the data of such a process must be that much higher. 0 where there is no /proc.
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
