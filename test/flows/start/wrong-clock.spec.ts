import { describe, expect, it, onTestFinished } from 'vitest';
import { clockVariables, fakeClock } from '../../../scripts/chaos/servers/fake-clock.mjs';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { readMetrics, total } from '../../support/roles/flow-metrics.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const isInstalled = fakeClock() !== undefined;
const why = isInstalled ? '' : ' (skipped: libfaketime is missing; it is in the Debian package faketime)';

describe.skipIf(!isInstalled)(`a role with a wrong clock${why}`, () => {
  it.each([
    [-300, '300 s behind'],
    [7_200, '7200 s ahead of'],
  ])('that is %d s ahead says so when it starts, and in its metrics', async (offsetSeconds, words) => {
    const port = await freePort();
    const service = await FlowService.start({ roles: [] });
    onTestFinished(() => service.close());
    const env = { ...clockVariables(offsetSeconds), DISPATCHER_PORT: String(port) };
    const dispatcher = await service.startRole('dispatcher', env);
    const warning = `the clock of this machine is ${words} that of the database. Synchronize both with NTP`;
    expect(dispatcher.log).toContain(warning);
    const samples = await eventually('metrics', () =>
      readMetrics(`http://127.0.0.1:${port}/metrics`).then(
        (found) => ({ found }),
        (seen: unknown) => ({ seen }),
      ),
    );
    expect(Math.abs(total(samples, 'ies_clock_offset_seconds') - offsetSeconds)).toBeLessThan(10);
  });

  it('does not warn of a clock that is right', async () => {
    const service = await FlowService.start({ roles: ['dispatcher'] });
    onTestFinished(() => service.close());
    expect(service.role('dispatcher').log).not.toContain('"clock"');
  });
});
