/** A signal that follows several others. */
export interface CombinedSignal {
  /** Undefined when one of the owners cannot abort. */
  readonly signal: AbortSignal | undefined;
  /** Stops following the signals; call it when the work has ended. */
  readonly release: () => void;
}

/** A signal that aborts once all of the given signals have aborted, with the reason of the last one. */
export function allAborted(signals: readonly (AbortSignal | undefined)[]): CombinedSignal {
  const own = [...new Set(signals)];
  const followed = own.filter((signal) => signal !== undefined);
  if (followed.length < own.length) return { signal: undefined, release: () => undefined };
  const controller = new AbortController();
  const look = (): void => {
    if (followed.every(({ aborted }) => aborted)) controller.abort(followed.at(-1)?.reason);
  };
  for (const signal of followed) signal.addEventListener('abort', look);
  look();
  const release = (): void => {
    for (const signal of followed) signal.removeEventListener('abort', look);
  };
  return { signal: controller.signal, release };
}
