import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasHelm, NEEDS_HELM, README_EXAMPLE, render } from '../../support/kubernetes/helm-chart.js';
import { RULES } from '../../support/telemetry/monitoring-files.js';

interface Endpoint {
  readonly relabelings?: readonly { readonly targetLabel: string; readonly replacement: string }[];
}

/** The fields of a ServiceMonitor or PodMonitor that the test reads. */
interface Spec {
  readonly endpoints?: readonly Endpoint[];
  readonly podMetricsEndpoints?: readonly Endpoint[];
}

describe.skipIf(!hasHelm)(`the monitors of the Helm chart ${NEEDS_HELM}`, () => {
  it('set the jobs that the alert rules name', () => {
    const named = [...readFileSync(RULES, 'utf8').matchAll(/job="(ies-\w+)"/g)].map(([, job]) => job!);
    const jobs = render<Spec>({ ...README_EXAMPLE, monitoring: { enabled: true } })
      .filter(({ kind }) => kind === 'ServiceMonitor' || kind === 'PodMonitor')
      .flatMap(({ spec }) => spec.endpoints ?? spec.podMetricsEndpoints ?? [])
      .map(
        ({ relabelings = [] }) => relabelings.find(({ targetLabel }) => targetLabel === 'job')?.replacement,
      );
    expect(new Set(jobs)).toEqual(new Set(named));
  });
});
