/** The signals of a service manager or a terminal that end all processes of a service, and not only the first. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/** For processes whose parent stops them. It finishes the work that they are doing. */
export function ignoreStopSignals(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
}
