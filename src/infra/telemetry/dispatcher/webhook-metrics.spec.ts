import { describe, expect, it } from 'vitest';
import { Metrics } from '../metrics.js';
import { WebhookMetrics } from './webhook-metrics.js';

describe('WebhookMetrics', () => {
  it('has a sample of each outcome before the first attempt', async () => {
    const metrics = new Metrics('test');
    const webhooks = new WebhookMetrics(metrics, async () => ({
      events: 0,
      pending: 0,
      due: 0,
      oldestDueSeconds: 0,
    }));
    const attempts = async () => {
      const { values } = await metrics.registry.getSingleMetric('ies_webhook_attempts_total')!.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels['end'], value]));
    };
    expect(await attempts()).toEqual({ succeeded: 0, refused: 0, unanswered: 0 });
    webhooks.attempt('unanswered', 1);
    expect(await attempts()).toEqual({ succeeded: 0, refused: 0, unanswered: 1 });
  });
});
