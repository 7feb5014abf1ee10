import sharp from 'sharp';
import { built } from '../../lib/built.mjs';

const THUMBNAIL = { width: 320, height: 240 };
const PICTURES = 10;
const WRITERS = 16;
const SOURCE_ID = `src_${'0'.repeat(31)}1`;

/**
 * Writes ended jobs directly into the database, newest last, like those of a busy account: every tenth failed.
 * @param {string} databaseUrl
 * @param {string} accountId
 * @param {number} count
 */
export async function addJobs(databaseUrl, accountId, count) {
  const { withClient } = await built('infra/database/with-client.js');
  await withClient({ connectionString: databaseUrl }, async (client) => {
    await client.query(
      `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
       VALUES ($1, $2, 'bench/none', 'jpeg', 512, 512, 1, repeat('0', 64), now())`,
      [SOURCE_ID, accountId],
    );
    await client.query(
      `INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, progress, attempts,
                         error_code, model, device, timings, source_pixels, period, result_key, result_format,
                         result_width, result_height, result_bytes, result_sha256, result_expires_at, created_at,
                         started_at, completed_at)
       SELECT 'job_' || lpad(to_hex(n), 32, '0'), $1, $2,
              (ARRAY['upscale', 'auto_enhance', 'smooth_skin', 'bg_remove'])[1 + n % 4],
              (ARRAY['low', 'medium', 'high'])[1 + n % 3],
              '{"format":"jpeg","quality":null,"background":null}', '{}',
              CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'completed' END, 1, 1,
              CASE WHEN n % 10 = 0 THEN 'processing_failed' END,
              '{"name":"bench","version":1,"sha256":"00"}', 'cpu',
              '{"queuedMs":5,"decodeMs":20,"inferenceMs":900,"encodeMs":40,"totalMs":1000}', 262144, '2000-01',
              CASE WHEN n % 10 > 0 THEN 'bench/none' END, CASE WHEN n % 10 > 0 THEN 'jpeg' END,
              1024, 1024, 200000, repeat('0', 64), now() + interval '30 days',
              now() - (($3::int - n) * interval '1 minute'), now(), now()
         FROM generate_series(1, $3::int) AS n`,
      [accountId, SOURCE_ID, count],
    );
  });
}

/**
 * Creates the thumbnails that a worker would have created for the completed jobs.
 * @param {string} objectsDir of the service
 * @param {number} count as with `addJobs`
 */
export async function addThumbnails(objectsDir, count) {
  const { DiskObjectStore } = await built('infra/storage/disk-object-store.js');
  const store = await DiskObjectStore.open(objectsDir);
  const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, index) => picture(index)));
  let next = 1;
  const write = async () => {
    while (next <= count) {
      const n = next;
      next += 1;
      if (n % 10 === 0) continue;
      await store.put(`thumbnails/job_${n.toString(16).padStart(32, '0')}.webp`, pictures[n % PICTURES]);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Smooth colors with grain, so that it decodes like a photo. */
function picture(index) {
  const { width, height } = THUMBNAIL;
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1)
    data[at] = 128 + 90 * Math.sin((at % (width * 3)) / 97 + index + (at % 3)) + 20 * Math.random();
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality: 70 })
    .toBuffer();
}
