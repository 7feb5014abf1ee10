// A setup file: notes what each spec file costs, its imports and its child processes included, for `SpecTimes`.
import { afterAll } from 'vitest';
import { cpuTimeMs } from './cpu-time.mjs';

const startMs = cpuTimeMs(process.pid);

// eslint-disable-next-line no-empty-pattern -- vitest reads the fixtures that a hook wants from its first argument
afterAll(({}, suite) => {
  const endMs = cpuTimeMs(process.pid);
  if (startMs !== undefined && endMs !== undefined) suite.file.meta.cpuMs = endMs - startMs;
});
