// A setup file: records the CPU time of each spec file, including its imports and child processes, for `SpecTimes`.
import { afterAll } from 'vitest';
import { cpuTimeMs, keptCpuTimeMs } from './cpu-time.mjs';

const [startMs, startKeptMs] = [cpuTimeMs(process.pid), keptCpuTimeMs()];

// eslint-disable-next-line no-empty-pattern -- vitest reads the fixtures that a hook wants from its first argument
afterAll(({}, suite) => {
  const endMs = cpuTimeMs(process.pid);
  const keptCpuMs = keptCpuTimeMs() - startKeptMs;
  if (startMs !== undefined && endMs !== undefined)
    Object.assign(suite.file.meta, { cpuMs: endMs - startMs + keptCpuMs, keptCpuMs });
});
