import { userInfo } from 'node:os';

/**
 * The name of the user who runs this process, for the audit log. A container may run under an id without a name: OpenShift
 * assigns such ids, and then `userInfo` throws.
 */
export function systemUser(info: () => { readonly username: string } = userInfo): string {
  try {
    return info().username;
  } catch {
    return `uid:${process.getuid?.() ?? 'unknown'}`;
  }
}
