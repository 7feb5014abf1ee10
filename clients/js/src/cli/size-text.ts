const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size in units of 1,024, as the service and the Python command line do: `712 B`, `1.7 kB`, `50 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes / 1024;
  let unit = 0;
  // 1023.95 would be written as 1024.0.
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1).replace(/\.0$/, '')} ${UNITS[unit]}`;
}
