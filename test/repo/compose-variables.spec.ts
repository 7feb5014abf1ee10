import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import {
  COMPOSE_READER,
  hasComposeReader,
  readCompose,
  resolveCompose,
} from '../support/containers/compose-files.js';

/** The part of docs/operations.md about containers. */
const [, toEnd] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split('## Install with containers');
const [section] = toEnd!.split('\n## ');

const why = hasComposeReader ? '' : ` (skipped: ${COMPOSE_READER} is missing)`;

describe('the variables of a reverse proxy', () => {
  const variables = {
    PUBLIC_URL: 'https://images.example.com',
    TRUST_PROXY: 'true',
    BIND_ADDRESS: '127.0.0.1',
  };

  it('are documented, and TRUST_PROXY is off by default', () => {
    for (const [name, value] of Object.entries(variables)) expect(section).toContain(`${name}=${value}`);
    expect(readCompose('compose.yaml').services['api']!.environment!['TRUST_PROXY']).toBe(
      '${TRUST_PROXY:-false}',
    );
  });

  it.skipIf(!hasComposeReader)(`reach the api, and close its port to others${why}`, () => {
    const api = resolveCompose(['compose.yaml'], variables)['api']!;
    expect(api.environment).toMatchObject({ PUBLIC_URL: variables.PUBLIC_URL, TRUST_PROXY: 'true' });
    expect(api.ports).toMatchObject([{ host_ip: '127.0.0.1', published: '3000', target: 3000 }]);
  });

  it.skipIf(!hasComposeReader)(`leave the port open on IPv4 and IPv6 when they are not set${why}`, () => {
    const api = resolveCompose(['compose.yaml'])['api']!;
    expect(api.environment['TRUST_PROXY']).toBe('false');
    expect(api.ports).toMatchObject([{ published: '3000', target: 3000 }]);
    expect(api.ports![0]).not.toHaveProperty('host_ip');
  });
});
