import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { processStamp } from '../processes/process-stamp.mjs';

/** Which process made a folder, so that another one can tell whether it still lives. */
export interface FolderOwner {
  /**
   * Where its number means something: machine and process namespace, since containers may share the folder.
   */
  readonly realm: string;
  readonly pid: number;
  readonly stamp: string | undefined;
}

export function folderOwner(): FolderOwner {
  return { realm: realm(), pid: process.pid, stamp: processStamp(process.pid) };
}

/**
 * Whether the owner (JSON) has ended; `undefined` when that cannot be seen from here or the text says
 * nothing.
 */
export function isOwnerGone(text: string): boolean | undefined {
  const owner = parsed(text);
  if (owner?.realm !== realm() || owner.pid === undefined) return undefined;
  return processStamp(owner.pid) !== owner.stamp;
}

function parsed(text: string): Partial<FolderOwner> | undefined {
  try {
    return JSON.parse(text) as Partial<FolderOwner>;
  } catch {
    // Cut short by the end of its process.
    return undefined;
  }
}

function realm(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}
