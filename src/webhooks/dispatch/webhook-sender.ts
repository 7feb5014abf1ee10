import { Inject, Injectable } from '@nestjs/common';
import { type Dispatcher, request } from 'undici';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { secondsText } from '../../kernel/time/seconds-text.js';
import { signWebhook } from '../../kernel/webhooks/webhook-signature.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { eventBody } from '../events/event-body.js';
import { readAnswerStart } from './answer-body.js';
import type {
  ClaimedDelivery,
  ClaimedRow,
  FinishedAttempt,
  Outcome,
  ReceivedAnswer,
} from './claimed-delivery.js';
import { failureText } from '../../infra/net/failure-text.js';

/** The undici dispatcher that connects only to checked addresses. */
export const OUTBOUND = Symbol('OutboundDispatcher');

const USER_AGENT = 'image-enhancement-service-webhooks/0.1';

/** The attempt was not made, or was aborted by this process: there is no result. */
export class NotAttempted extends Error {}

/** Makes attempts: signs a body, posts it, and reads the start of the response. */
@Injectable()
export class WebhookSender {
  constructor(
    @Inject(OUTBOUND) private readonly outbound: Dispatcher,
    private readonly secrets: EndpointSecrets,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Makes one attempt, which takes at most the timeout and one second.
   * @param stop aborts it when this process ends
   * @throws NotAttempted when its lease is about to expire, or `stop` fired; SealError when the secret cannot
   * be decrypted
   */
  async send(delivery: ClaimedDelivery, stop: AbortSignal): Promise<FinishedAttempt> {
    const { webhookTimeoutMs } = this.config;
    // The process may have been paused since the claim; another dispatcher may be about to take it.
    if (performance.now() + webhookTimeoutMs + 1_000 > delivery.leaseEndsMs || stop.aborted)
      throw new NotAttempted('the lease is about to end');
    const { headers, body } = this.signed(delivery.row);
    const finish = delivery.begin();
    const timeout = new AbortController();
    const onStop = () => timeout.abort();
    stop.addEventListener('abort', onStop);
    const timer = setTimeout(() => timeout.abort(), webhookTimeoutMs);
    try {
      const outcome = await this.post(delivery.row.destination.url, headers, body, timeout.signal);
      return finish(outcome);
    } catch (error) {
      if (stop.aborted) throw new NotAttempted('the process ends', { cause: error });
      const late = `The endpoint did not respond within ${secondsText(webhookTimeoutMs / 1_000)}.`;
      return finish({ answer: null, error: timeout.signal.aborted ? late : failureText(error) });
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
    }
  }

  private async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const dispatcher = this.outbound;
    const response = await request(url, { dispatcher, method: 'POST', headers, body, signal });
    const { text, error } = await readAnswerStart(response.body);
    const retryAfter = response.headers['retry-after'];
    const answer: ReceivedAnswer = {
      status: response.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: text,
    };
    return { answer, error: redirectText(answer.status) ?? error };
  }

  private signed({ event, destination }: ClaimedRow): { headers: Record<string, string>; body: string } {
    const nowMs = Date.now();
    const body = eventBody(event);
    const { endpointId: id, sealedSecret, previousSecrets } = destination;
    const signature = signWebhook({
      id: event.id,
      timestampSeconds: Math.floor(nowMs / 1_000),
      body,
      secrets: this.secrets.inForce({ id, sealedSecret, previousSecrets }, nowMs),
    });
    const traceparent = currentTraceparent();
    return {
      body,
      headers: {
        ...signature,
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...(traceparent === undefined ? {} : { traceparent }),
      },
    };
  }
}

function redirectText(status: number): string | null {
  return status >= 300 && status < 400
    ? 'The endpoint responded with a redirect, which is not followed.'
    : null;
}
