export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'succeeded', 'failed'];

export interface EventType {
  readonly type: string;
  readonly description: string;
  /** The type it is sent together with. */
  readonly aliasOf: string | null;
}

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** Types, or `*` for all of them. */
  readonly events: readonly string[];
  readonly description: string | null;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
  readonly lastFailureAt: string | null;
  /** Until when a replaced secret signs beside the one in force. */
  readonly previousSecretExpiresAt: string | null;
  readonly createdAt: string;
}

/** With the signing secret: only in the answer that made it. */
export interface ShownEndpoint extends Endpoint {
  readonly secret: string;
}

export interface EndpointChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null: there was no answer. */
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly endpointId: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
  readonly attempts: readonly Attempt[];
  /** What is sent; only when one delivery is read. */
  readonly request?: { readonly headers: Readonly<Record<string, string>> | null; readonly body: string };
}
