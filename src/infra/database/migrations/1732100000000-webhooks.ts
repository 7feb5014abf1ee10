import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Webhook endpoints, their deliveries and attempts, and a notification that wakes the dispatchers. */
export class Webhooks1732100000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ENDPOINTS, ...DELIVERIES, ...WAKE_UP]) await runner.query(statement);
  }
}

const ENDPOINTS = [
  `CREATE TABLE webhook_endpoints (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     url text NOT NULL,
     events text[] NOT NULL,
     description text,
     metadata jsonb NOT NULL,
     enabled boolean NOT NULL,
     disabled_reason text CHECK (disabled_reason IN ('manual', 'gone', 'failing')),
     sealed_secret bytea NOT NULL,
     previous_secrets jsonb NOT NULL,
     first_failure_at timestamptz,
     last_failure_at timestamptz,
     paused_until timestamptz,
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     CHECK (enabled = (disabled_reason IS NULL))
   )`,
  `CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id, id DESC)`,
];

const DELIVERIES = [
  // Deleted with its endpoint, and so with its account. While an attempt runs, due_at is the end of its lease,
  // so one index finds which deliveries can be claimed, and when.
  `CREATE TABLE webhook_deliveries (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     endpoint_id text NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
     event_id text NOT NULL REFERENCES events ON DELETE CASCADE,
     event_type text NOT NULL,
     url text NOT NULL,
     status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
     attempt_count integer NOT NULL DEFAULT 0,
     step integer NOT NULL DEFAULT 0,
     next_attempt_at timestamptz,
     due_at timestamptz,
     claims integer NOT NULL DEFAULT 0,
     claimed boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL,
     delivered_at timestamptz,
     CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
     CHECK ((status = 'pending') = (due_at IS NOT NULL)),
     CHECK (status = 'pending' OR NOT claimed)
   )`,
  `CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (event_id, endpoint_id)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id DESC)`,
  `CREATE INDEX webhook_deliveries_account ON webhook_deliveries (account_id, id DESC)`,
  `CREATE TABLE webhook_attempts (
     delivery_id text NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
     number integer NOT NULL,
     started_at timestamptz NOT NULL,
     duration_ms integer NOT NULL,
     response_status integer,
     response_body text,
     error text,
     PRIMARY KEY (delivery_id, number)
   )`,
];

const WAKE_UP = [
  `CREATE FUNCTION notify_events_ready() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('events_ready', '');
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER events_ready AFTER INSERT ON events
     FOR EACH STATEMENT EXECUTE FUNCTION notify_events_ready()`,
];
