import { describe, expect, it } from 'vitest';
import {
  find,
  hasHelm,
  MINIMAL,
  NEEDS_HELM,
  render,
  type Values,
} from '../../support/kubernetes/helm-chart.js';

/** The fields of a ScaledObject or PodMonitor that the tests read. */
interface Spec {
  readonly triggers: readonly {
    readonly metadata: {
      readonly query: string;
      readonly threshold: string;
      readonly activationThreshold: string;
    };
  }[];
  readonly podMetricsEndpoints: readonly { readonly relabelings: readonly unknown[] }[];
}

const SCALED: Values = {
  ...MINIMAL,
  monitoring: { enabled: true },
  workers: { cpu: {}, gpu: { autoscaling: { enabled: true } } },
};

describe.skipIf(!hasHelm)(`the scaling of workers in the Helm chart ${NEEDS_HELM}`, () => {
  it('keeps as many pods of a group as run jobs', () => {
    const manifests = render<Spec>(SCALED);
    const { triggers } = find(manifests, 'ScaledObject', 'ies-image-enhancement-worker-gpu').spec;
    expect(triggers.map(({ metadata }) => metadata)).toContainEqual(
      expect.objectContaining({
        query: 'count(sum by (pod) (ies_jobs_running{namespace="images",worker_group="gpu"}) > 0)',
        threshold: '1',
        activationThreshold: '0',
      }),
    );
    const [endpoint] = find(manifests, 'PodMonitor', 'ies-image-enhancement-worker').spec.podMetricsEndpoints;
    expect(endpoint!.relabelings).toContainEqual({
      targetLabel: 'worker_group',
      sourceLabels: ['__meta_kubernetes_pod_label_image_enhancement_worker_group'],
    });
  });
});
