import { checkHistory } from '../chaos/checks/check-history.mjs';
import { readHistory } from '../chaos/history.mjs';
import { runAmongOwnDisks } from '../chaos/servers/own-disks.mjs';
import { OPERATIONS } from '../chaos/load/load-client.mjs';
import { prepare } from '../chaos/prepare.mjs';
import { describeResult } from '../chaos/report.mjs';
import { removeRun, runChaos } from '../chaos/run.mjs';
import { FAULTS } from '../chaos/schedule.mjs';

/**
 * Ten minutes of faults in all, with fixed seeds: with the queue in PostgreSQL, with the queue in Redis, and with the
 * supervisor.
 */
const RUNS = [
  { seed: 101, minutes: 4, redis: false, supervisor: false },
  { seed: 102, minutes: 3, redis: true, supervisor: false },
  { seed: 103, minutes: 3, redis: false, supervisor: true },
];

/** Exit code 1 when a guarantee was violated. The folder of such a run is kept. */
export async function run({ json }) {
  const exitCode = await runAmongOwnDisks();
  if (exitCode !== undefined) {
    process.exitCode = exitCode;
    return;
  }
  await prepare({ redis: RUNS.some(({ redis }) => redis) });
  const results = [];
  for (const each of RUNS) {
    const { dir, historyPath } = await runChaos({ ...each, faults: FAULTS, operations: OPERATIONS }, (text) =>
      process.stderr.write(`${text}\n`),
    );
    const result = checkHistory(readHistory(historyPath));
    results.push({ ...each, ...result });
    if (!json)
      process.stdout.write(`seed ${each.seed}: ${describeResult(result, { ...each, historyPath })}\n`);
    if (result.violations.length === 0) await removeRun(dir);
    else process.exitCode = 1;
  }
  if (json) process.stdout.write(`${JSON.stringify(results)}\n`);
}
