import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { checkWebhookUrl } from '../../infra/net/check-webhook-url.js';

/**
 * The normalized URL of an endpoint or a callback, without a fragment. Its address is checked at each connection, not here.
 * @throws AppError `invalid_request`
 */
export function acceptedUrl(
  text: string,
  config: Pick<Config, 'webhookAllowHttp' | 'webhookAllowNetworks' | 'webhookPorts'>,
  field = 'url',
): string {
  const rules = {
    allowHttp: config.webhookAllowHttp,
    allowNetworks: config.webhookAllowNetworks,
    allowPorts: config.webhookPorts,
  };
  const fault = checkWebhookUrl(text, rules);
  if (fault !== null) throw invalidRequest([{ field, code: 'format', message: `${field}: ${fault}` }]);
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
