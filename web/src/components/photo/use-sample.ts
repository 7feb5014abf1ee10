import { useState } from 'react';
import sampleUrl from '../../../../scripts/assets/astronaut.png';
import type { OnFiles } from './use-photo-intake.js';

const NAME = 'astronaut.png';

/** Loads the sample photo of the service: a portrait in the public domain (scripts/assets/README.md). */
export function useSample(onFiles: OnFiles) {
  const [isLoading, setIsLoading] = useState(false);
  const load = () => {
    setIsLoading(true);
    fetch(sampleUrl)
      .then(async (answer) => onFiles([new File([await answer.blob()], NAME, { type: 'image/png' })], null))
      // If the service is unreachable, the page reports this at the next step.
      .catch(() => undefined)
      .finally(() => setIsLoading(false));
  };
  return { load, isLoading };
}
