import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import type { SessionDelivery } from '../../../api/schema.js';
import { CodeBlock } from '../../../components/text/code-block.js';

export interface DeliveryRequestProps {
  readonly delivery: SessionDelivery;
}

/** The request as the endpoint received it: the headers, where they are known, and the body. */
export function DeliveryRequest({ delivery }: DeliveryRequestProps) {
  if (delivery.request === undefined) return null;
  const { headers, body } = delivery.request;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section aria-labelledby="request">
      <Title order={3} id="request" mb="xs">
        {t`Request`}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        <Trans>
          Each attempt has its own signature in <code>X-Service-Signature</code> and{' '}
          <code>webhook-signature</code>.
        </Trans>
      </Text>
      {lines.length > 0 && (
        <CodeBlock code={lines.join('\n')} name={t`Headers`} copyLabel={t`Copy headers`} />
      )}
      {lines.length > 0 && <div style={{ height: 10 }} />}
      <CodeBlock code={body} shown={indented(body)} name={t`Raw body`} copyLabel={t`Copy raw body`} />
    </section>
  );
}

/** Indented for reading. Copying uses the original body, because the signature covers those bytes. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
