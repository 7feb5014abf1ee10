// Loaded into a worker process by `--import`: records a profile of its main thread when the benchmark asks.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_US = 500;

if (isMainThread && process.send !== undefined) {
  const session = new Session();
  const answers = {
    'bench:profile-start': async () => {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
      await session.post('Profiler.start');
    },
    'bench:profile-stop': async (path) => {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      writeFileSync(path, JSON.stringify(profile));
    },
  };
  process.on('message', ({ type, path }) => {
    void answers[type]?.(path).then(() => process.send({ type, path }));
  });
  process.channel?.unref();
}
