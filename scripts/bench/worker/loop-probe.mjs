// Loaded into a worker process by `--import`: reports how long its event loop was blocked, when the benchmark asks.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send !== undefined) {
  // Removed for child processes, because a listener there would consume their first message before they listen.
  process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(`--import=${import.meta.url}`, '');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('message', (message) => {
    if (message?.type !== 'bench:loop') return;
    const [p50Ms, p99Ms, maxMs] = [delay.percentile(50), delay.percentile(99), delay.max].map(
      (ns) => ns / 1e6,
    );
    delay.reset();
    process.send({ type: 'bench:loop', p50Ms, p99Ms, maxMs });
  });
  process.channel?.unref();
}
