import { describe, expect, it } from 'vitest';
import { MAX_WAIT_SECONDS } from '../../../src/common/requests/prefer-wait.decorator.js';
import { DESCRIPTORS } from '../../../src/config/env.js';
import { find, hasHelm, NEEDS_HELM, README_EXAMPLE, render } from '../../support/kubernetes/helm-chart.js';

const READ_TIMEOUT = 'nginx.ingress.kubernetes.io/proxy-read-timeout';
/** Idle timeout of nginx and of AWS load balancers that nobody configured. */
const COMMON_SECONDS = 60;

describe.skipIf(!hasHelm)(`the ingress of the Helm chart ${NEEDS_HELM}`, () => {
  it('waits longer for a response than a request waits for two pictures and its job', () => {
    const { metadata } = find(render<object>(README_EXAMPLE), 'Ingress', 'ies-image-enhancement');
    const longest = MAX_WAIT_SECONDS + (2 * DESCRIPTORS.uploadFromUrlTimeoutMs.read(undefined)) / 1000;
    expect(Number(metadata.annotations?.[READ_TIMEOUT])).toBeGreaterThan(longest);
  });
});

it('a request that waits for a job is answered before a proxy without settings gives up', () => {
  expect(MAX_WAIT_SECONDS).toBeLessThan(COMMON_SECONDS - 3);
});
