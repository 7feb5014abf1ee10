import { expect, it } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { FlowService } from '../../support/roles/flow-service.js';

it('a worker that cannot reach its database exits with code 1 and prints only that error', async () => {
  const databaseUrl = `postgresql://nobody:secret@127.0.0.1:${await freePort()}/nothing`;
  const failure = await FlowService.start({ roles: ['worker'], databaseUrl }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failure).toContain('the worker ended with exit code 1');
  expect(failure).toContain('The worker could not start');
  expect(failure).not.toContain('device thread');
});
