/** Characters that have a meaning in file systems. */
const SPECIAL = /[\p{Cc}/\\:*?"<>|]/gu;
/**
 * Windows opens a device instead of a file of this name, whatever follows the dot
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]) *\./i;

/** The name of a file, changed where Linux, macOS or Windows could not save it: `aux.1.png` → `_aux.1.png`. */
export function fileSystemName(name: string): string {
  const clean = name.replace(SPECIAL, '_');
  return DEVICE.test(clean) ? `_${clean}` : clean;
}
