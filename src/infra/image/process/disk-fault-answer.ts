import type { UncheckedAnswer } from './image-process-protocol.js';

const DISK_FAULT_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'EROFS', 'ESTALE'] as const;

/** The error of a response that reports a disk failure, with the system's code; undefined for any other response. */
export function diskFaultOf({ kind, code }: UncheckedAnswer): Error | undefined {
  if (kind !== 'disk-fault') return undefined;
  const known = DISK_FAULT_CODES.find((name) => name === code);
  if (known === undefined) return undefined;
  return Object.assign(new Error(`${known}: the image process could not write its file`), { code: known });
}
