import { SAMPLE_IDS as ids, SAMPLE_SIGNATURE, SAMPLE_SOURCE_URL } from './sample-ids.js';

const PREAMBLE = `import { ImageEnhancement } from 'image-enhancement-client';

const client = new ImageEnhancement();
`;

/** A call of the client library. */
const call = (code: string): string => `${PREAMBLE}${code}`;

/** A request without the client library, for routes that the library does not support. */
const fetched = (
  path: string,
  options = '',
  then = 'console.log(response.status, await response.text());',
): string =>
  `const response = await fetch(\`\${process.env.IMAGE_ENHANCEMENT_URL}${path}\`${options});\n${then}`;

const WITH_KEY = `{
  headers: { 'x-api-key': process.env.IMAGE_ENHANCEMENT_API_KEY },
}`;

/** JavaScript samples by operation id. */
export const JAVASCRIPT_SAMPLES: Readonly<Record<string, string>> = {
  healthLive: fetched('/health/live'),
  healthReady: fetched('/health/ready'),
  healthModels: fetched('/health/models'),
  exportUsage: call('const csv = await client.exportUsage();\nconsole.log(csv);'),
  getUsage: call('const usage = await client.usage();\nconsole.log(usage.enhancements.remaining);'),
  uploadImage: call("const source = await client.upload('photo.jpg');\nconsole.log(source.url);"),
  createDirectUpload: fetched(
    '/api/ai/uploads',
    `, {
  method: 'POST',
  headers: {
    'x-api-key': process.env.IMAGE_ENHANCEMENT_API_KEY,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ bytes: 2_480_113, sha256: '${'5f2c4a1e'.repeat(8)}' }),
}`,
  ),
  completeDirectUpload: fetched(
    `/api/ai/uploads/${ids.upload}/complete`,
    `, {
  method: 'POST',
  headers: { 'x-api-key': process.env.IMAGE_ENHANCEMENT_API_KEY },
}`,
  ),
  listSources: call(
    'for await (const source of client.sources.list()) console.log(source.id, source.bytes);',
  ),
  getSource: call(
    `const source = await client.sources.get('${ids.source}');\nconsole.log(source.width, source.height);`,
  ),
  deleteSource: call(`await client.sources.delete('${ids.source}');`),
  readSourceFile: fetched(
    `/files/${ids.source}.jpg?${SAMPLE_SIGNATURE}`,
    '',
    'console.log((await response.arrayBuffer()).byteLength);',
  ),
  createJob: call(`const job = await client.jobs.create({
  sourceUrl: '${SAMPLE_SOURCE_URL}',
  operation: 'bg_remove',
  level: 'high',
  output: { format: 'jpeg', quality: 90, background: '#ffffff' },
});
console.log(job.id, job.status);`),
  listJobs: call(
    "for await (const job of client.jobs.list({ status: 'completed' })) console.log(job.id, job.resultUrl);",
  ),
  getJob: call(`const job = await client.jobs.get('${ids.job}');\nconsole.log(job.status, job.resultUrl);`),
  deleteJob: call(`await client.jobs.delete('${ids.job}');`),
  cancelJob: call(`const job = await client.jobs.cancel('${ids.job}');\nconsole.log(job.status);`),
  followJob: fetched(
    `/api/ai/enhance/${ids.job}/events`,
    `, ${WITH_KEY}`,
    `const events = response.body.pipeThrough(new TextDecoderStream());
for await (const text of events) console.log(text);`,
  ),
  listOperations: call(
    'for (const each of await client.operations()) console.log(each.operation, each.levels);',
  ),
  readResultFile: fetched(
    `/files/${ids.job}.jpg?${SAMPLE_SIGNATURE}`,
    '',
    'console.log((await response.arrayBuffer()).byteLength);',
  ),
  createBatch: call(`const batch = await client.batches.create({
  sourceUrls: ['${SAMPLE_SOURCE_URL}'],
  operation: 'upscale',
  level: 'medium',
});
console.log(batch.id, batch.counts.queued);`),
  listBatches: call('for await (const batch of client.batches.list()) console.log(batch.id, batch.percent);'),
  getBatch: call(
    `const batch = await client.batches.get('${ids.batch}');\nconsole.log(batch.status, batch.counts);`,
  ),
  listBatchJobs: call(
    `for await (const job of client.batches.items('${ids.batch}')) console.log(job.id, job.status);`,
  ),
  cancelBatch: call(
    `const batch = await client.batches.cancel('${ids.batch}');\nconsole.log(batch.counts.canceled);`,
  ),
  retryBatch: call(`const batch = await client.batches.retry('${ids.batch}', { includeCanceled: false });
console.log(batch.counts.queued);`),
  downloadBatchResults: call(`await client.batches.results('${ids.batch}').save('results.zip');`),
  listPresets: call('for (const preset of await client.presets.list()) console.log(preset.name);'),
  getPreset: call("const preset = await client.presets.get('portrait');\nconsole.log(preset.operations);"),
  savePreset: call(`await client.presets.save('catalog', {
  operations: [{ operation: 'auto_enhance', level: 'low' }, { operation: 'upscale' }],
  output: { format: 'webp', quality: 85 },
});`),
  deletePreset: call("await client.presets.delete('catalog');"),
  listEventTypes: call('for (const event of await client.webhooks.events()) console.log(event.type);'),
  createWebhookEndpoint: call(`const endpoint = await client.webhooks.endpoints.create({
  url: 'https://example.com/webhooks/images',
  events: ['job.completed', 'enhancement.failed'],
});
console.log(endpoint.secret);`),
  listWebhookEndpoints: call(
    'for await (const endpoint of client.webhooks.endpoints.list()) console.log(endpoint.url, endpoint.enabled);',
  ),
  getWebhookEndpoint: call(`const endpoint = await client.webhooks.endpoints.get('${ids.endpoint}');
console.log(endpoint.failingSince);`),
  updateWebhookEndpoint: call(
    `await client.webhooks.endpoints.update('${ids.endpoint}', { enabled: false });`,
  ),
  deleteWebhookEndpoint: call(`await client.webhooks.endpoints.delete('${ids.endpoint}');`),
  pingWebhookEndpoint: call(`const delivery = await client.webhooks.endpoints.ping('${ids.endpoint}');
console.log(delivery.id);`),
  rotateWebhookSecret: call(`const options = { overlapSeconds: 3600 };
const endpoint = await client.webhooks.endpoints.rotateSecret('${ids.endpoint}', options);
console.log(endpoint.secret);`),
  recoverWebhookEndpoint: call(`const since = new Date(Date.now() - 3_600_000);
await client.webhooks.endpoints.recover('${ids.endpoint}', since);`),
  listWebhookDeliveries: call(
    "for await (const each of client.webhooks.deliveries.list({ status: 'failed' })) console.log(each.id, each.eventType);",
  ),
  getWebhookDelivery: call(`const delivery = await client.webhooks.deliveries.get('${ids.delivery}');
console.log(delivery.status, delivery.attempts.length);`),
  redeliverWebhookDelivery: call(`await client.webhooks.deliveries.redeliver('${ids.delivery}');`),
  getCallbackSecret: call('console.log(await client.webhooks.callbackSecret.get());'),
  rotateCallbackSecret:
    call(`const { secret } = await client.webhooks.callbackSecret.rotate({ overlapSeconds: 3600 });
console.log(secret);`),
};
