/**
 * Inserts the notice of a disabled webhook endpoint into the table that a dispatcher reads. It is part of the statement
 * that disables the endpoint, so it needs no additional round trip.
 * @param from a relation with `id`, `account_id`, `url`, and `reason` of endpoints, and a condition
 */
export function insertEndpointNotices(from: string): string {
  return `
      INSERT INTO account_notices (account_id, kind, key, data)
      SELECT account_id, 'endpoint_disabled', id || ':' || clock_timestamp(),
             jsonb_build_object('endpointId', id, 'origin', substring(url FROM '^[a-z]+://[^/?#]*'), 'reason', reason)
        FROM ${from}`;
}
