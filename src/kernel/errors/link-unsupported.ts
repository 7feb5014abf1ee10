/** Some file systems have no hard links, and all limit their number. */
const CODES = new Set(['EMLINK', 'ENOTSUP', 'EPERM', 'ENOSYS']);

/** Whether a hard link failed because the file system has none, or no more of them. */
export function isLinkUnsupported(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException).code ?? '');
}
