import { processRealm, processStamp } from '../processes/process-stamp.mjs';

/** The process that created a folder, so that another process can tell whether it is still alive. */
export interface FolderOwner {
  /** The scope of its process id (see process-stamp.mjs). */
  readonly realm: string;
  readonly pid: number;
  readonly stamp: string | undefined;
}

export function folderOwner(): FolderOwner {
  return { realm: processRealm(), pid: process.pid, stamp: processStamp(process.pid) };
}

/**
 * Whether the owner (JSON) has exited; undefined if the text is incomplete or the process is in another namespace.
 */
export function isOwnerGone(text: string): boolean | undefined {
  const owner = parsed(text);
  if (owner?.realm !== processRealm() || owner.pid === undefined) return undefined;
  return processStamp(owner.pid) !== owner.stamp;
}

function parsed(text: string): Partial<FolderOwner> | undefined {
  try {
    return JSON.parse(text) as Partial<FolderOwner>;
  } catch {
    // The text is incomplete, because its process exited while writing it.
    return undefined;
  }
}
