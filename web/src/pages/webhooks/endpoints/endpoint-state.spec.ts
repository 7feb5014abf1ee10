import { describe, expect, it } from 'vitest';
import type { Endpoint } from 'image-enhancement-client';
import { endpointBadge, endpointTrouble } from './endpoint-state.js';

const SINCE = '2026-01-15T12:00:00.000Z';
const MINUTE_MS = 60_000;
const endpoint = (changes: Partial<Endpoint>): Endpoint => ({
  id: 'we_1',
  url: 'https://shop.example.com/hooks',
  events: ['*'],
  description: null,
  metadata: {},
  enabled: true,
  disabledReason: null,
  failingSince: null,
  lastFailureAt: null,
  previousSecretExpiresAt: null,
  createdAt: SINCE,
  updatedAt: SINCE,
  ...changes,
});

describe('the state of an endpoint', () => {
  it('ages while nothing arrives', () => {
    const failing = endpoint({ failingSince: SINCE });
    const after = (minutes: number) => endpointTrouble(failing, Date.parse(SINCE) + minutes * MINUTE_MS);
    expect(after(0)).toContain('since now.');
    expect(after(10)).toContain('since 10 minutes ago.');
    expect(endpointBadge(failing).label).toBe('Failing');
  });

  it('is no trouble while all is well, and says why it was disabled', () => {
    expect(endpointTrouble(endpoint({}), 0)).toBeNull();
    expect(endpointTrouble(endpoint({ enabled: false, disabledReason: 'gone' }), 0)).toContain('410 Gone');
  });
});
