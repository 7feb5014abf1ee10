import { useSyncExternalStore } from 'react';

const PROBE_PATH = '/health/live';
const PROBE_INTERVAL_MS = 2_000;

let isLost = false;
let probing: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** A `fetch` that notices when the service does not respond. Aborted requests do not count. */
export function observed(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      const response = await send(input, init);
      setLost(false);
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) void untilReachable();
      throw error;
    }
  };
}

/** Notices immediately when the browser goes offline, before a request fails. */
export function watchConnection(): void {
  window.addEventListener('offline', () => void untilReachable());
}

/** Resolves once the service responds. Until then, the connection counts as lost. */
export function untilReachable(): Promise<void> {
  probing ??= probe().finally(() => (probing = null));
  return probing;
}

/** Whether the service did not respond to the last request. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}

async function probe(): Promise<void> {
  for (;;) {
    try {
      await fetch(PROBE_PATH, { cache: 'no-store' });
      return setLost(false);
    } catch {
      setLost(true);
      await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
    }
  }
}

function setLost(next: boolean): void {
  if (isLost === next) return;
  isLost = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
