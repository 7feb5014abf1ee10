/** Ended jobs of one photo, as in a busy account: the newest is number 1, every tenth was canceled. */
export const ADD_ENDED_JOBS = `
  INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, progress, attempts,
                    error_code, source_pixels, period, created_at, completed_at)
  SELECT 'job_' || lpad(to_hex($2::int - n), 32, '0'), s.account_id, s.id, 'upscale', 'low',
         '{"format":"jpeg","quality":null,"background":null}', '{}', 'failed', 1, 1,
         CASE WHEN n % 10 = 0 THEN 'canceled' ELSE 'processing_failed' END, 100, '2000-01',
         now() - n * interval '1 minute', now()
    FROM sources s JOIN accounts a ON a.id = s.account_id, generate_series(1, $2::int) AS n
   WHERE a.email = $1`;
