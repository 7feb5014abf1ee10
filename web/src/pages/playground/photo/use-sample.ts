import { useState } from 'react';
import sampleUrl from '../../../../../scripts/assets/astronaut.png';

const NAME = 'astronaut.png';

/** Fetches the photo that comes with the service: a portrait in the public domain (scripts/assets/README.md). */
export function useSample(onFiles: (files: readonly File[]) => void) {
  const [isLoading, setIsLoading] = useState(false);
  const load = () => {
    setIsLoading(true);
    fetch(sampleUrl)
      .then(async (answer) => onFiles([new File([await answer.blob()], NAME, { type: 'image/png' })]))
      // Without the service there is no sample either; the page says so at the next step.
      .catch(() => undefined)
      .finally(() => setIsLoading(false));
  };
  return { load, isLoading };
}
