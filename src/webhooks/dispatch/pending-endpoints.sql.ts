/**
 * `hop`: the id of each endpoint with pending deliveries, then NULL. The recursion walks the index from endpoint to
 * endpoint, however many deliveries are pending. For `WITH RECURSIVE`.
 */
export const PENDING_ENDPOINTS = `hop AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
               WHERE d.status = 'pending' AND d.endpoint_id > hop.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
        FROM hop WHERE hop.endpoint_id IS NOT NULL)`;

/** The first pending delivery of each endpoint of `hop`. */
export const FIRST_PENDING = `LATERAL (SELECT d.due_at FROM webhook_deliveries d
                          WHERE d.endpoint_id = hop.endpoint_id AND d.status = 'pending'
                          ORDER BY d.due_at LIMIT 1) AS first`;

/**
 * The account of endpoint `w` and the host name of its URL, whatever the port. Attempts at endpoints with the same value
 * have common limits. URLs are normalized: lower case, and an address in its shortest form.
 */
export const HOST_OF_ACCOUNT = `w.account_id || ' ' || rtrim(substring(w.url FROM '^[a-z]+://(\\[[^]]*\\]|[^/:?#]+)'), '.')`;

/** An endpoint with due deliveries. */
export interface ReadyEndpoint {
  readonly endpointId: string;
  /** See `HOST_OF_ACCOUNT`. */
  readonly host: string;
}
