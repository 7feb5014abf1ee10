import { useState } from 'react';

/** Whether `value` is true now or was true in an earlier render. */
export function useEver(value: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(value);
  if (value && !wasTrue) setWasTrue(true);
  return value || wasTrue;
}
