import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/**
 * The CPU time of each task of a page's main thread while it does something, milliseconds, the longest first. Unlike the
 * durations of the browser's `longtask` entries, other processes hardly change it.
 */
export async function taskTimes(page: Page, work: () => Promise<void>): Promise<number[]> {
  const devtools = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  await work();
  await endTracing(devtools);
  await devtools.detach();
  const mainThreads = new Set(events.filter(isMainThread).map(threadOf));
  return events
    .filter((event) => event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1_000)
    .toSorted((one, other) => other - one);
}

async function endTracing(devtools: CDPSession): Promise<void> {
  const isComplete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await isComplete;
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
const isMainThread = ({ name, args }: TraceEvent): boolean =>
  name === 'thread_name' && args.name === 'CrRendererMain';
