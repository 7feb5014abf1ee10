/** How long the old secret or key may go on beside the new one. */
export const OVERLAPS = [
  { value: '0', label: 'No time: stop it now' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '259200', label: 'Three days' },
  { value: '604800', label: 'One week' },
] as const;

export const DEFAULT_OVERLAP = '86400';
