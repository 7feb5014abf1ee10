/**
 * Processor time of the page's main thread, which does not depend on other processes.
 * @param {import('playwright-core').CDPSession} devtools
 * @returns a function that returns the milliseconds since this call
 */
export async function busyClock(devtools) {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const startMs = await read();
  return async () => (await read()) - startMs;
}
