import { SAMPLE_IDS as ids, SAMPLE_SIGNATURE, SAMPLE_SOURCE_URL } from './sample-ids.js';

/** A call of the client library. */
const call = (code: string, imports = ''): string => `${imports}from image_enhancement import Client

client = Client()
${code}`;

/** A request without the client library, for routes that the library does not support. */
const opened = (
  path: string,
  options = '',
  then = 'print(response.status, response.read())',
  imports = '',
): string => {
  const address = `os.environ["IMAGE_ENHANCEMENT_URL"] + "${path}"`;
  const request = options === '' ? address : `Request(\n    ${address},\n    ${options},\n)`;
  const [names, use] = options === '' ? ['urlopen', request] : ['Request, urlopen', 'request'];
  const made = options === '' ? '' : `request = ${request}\n`;
  return `${imports}import os\nfrom urllib.request import ${names}\n\n${made}with urlopen(${use}) as response:\n    ${then}`;
};

const KEY = '"x-api-key": os.environ["IMAGE_ENHANCEMENT_API_KEY"]';

/** Python samples by operation id. */
export const PYTHON_SAMPLES: Readonly<Record<string, string>> = {
  healthLive: opened('/health/live'),
  healthReady: opened('/health/ready'),
  healthModels: opened('/health/models'),
  getUsage: call('print(client.usage().enhancements_remaining)'),
  exportUsage: call("open('usage.csv', 'w', newline='').write(client.export_usage())"),
  uploadImage: call('source = client.upload("photo.jpg")\nprint(source.url)'),
  createDirectUpload: opened(
    '/api/ai/uploads',
    `method="POST",
    headers={${KEY}, "content-type": "application/json"},
    data=json.dumps({"bytes": 2_480_113, "sha256": "${'5f2c4a1e'.repeat(8)}"}).encode()`,
    undefined,
    'import json\n',
  ),
  completeDirectUpload: opened(
    `/api/ai/uploads/${ids.upload}/complete`,
    `method="POST",\n    headers={${KEY}}`,
  ),
  listSources: call('for source in client.sources.list():\n    print(source.id, source.bytes)'),
  getSource: call(`source = client.sources.get("${ids.source}")\nprint(source.width, source.height)`),
  deleteSource: call(`client.sources.delete("${ids.source}")`),
  readSourceFile: opened(`/files/${ids.source}.jpg?${SAMPLE_SIGNATURE}`, '', 'print(len(response.read()))'),
  createJob: call(`job = client.jobs.create(
    "${SAMPLE_SOURCE_URL}",
    "bg_remove",
    level="high",
    output={"format": "jpeg", "quality": 90, "background": "#ffffff"},
)
print(job.id, job.status)`),
  listJobs: call('for job in client.jobs.list(status="completed"):\n    print(job.id, job.result_url)'),
  getJob: call(`job = client.jobs.get("${ids.job}")\nprint(job.status, job.result_url)`),
  deleteJob: call(`client.jobs.delete("${ids.job}")`),
  cancelJob: call(`job = client.jobs.cancel("${ids.job}")\nprint(job.status)`),
  followJob: opened(
    `/api/ai/enhance/${ids.job}/events`,
    `headers={${KEY}}`,
    'for line in response:\n        print(line.decode().rstrip())',
  ),
  listOperations: call('for each in client.operations():\n    print(each.operation, each.levels)'),
  readResultFile: opened(`/files/${ids.job}.jpg?${SAMPLE_SIGNATURE}`, '', 'print(len(response.read()))'),
  createBatch: call(`batch = client.batches.create(
    ["${SAMPLE_SOURCE_URL}"],
    "upscale",
    level="medium",
)
print(batch.id)`),
  listBatches: call('for batch in client.batches.list():\n    print(batch.id, batch.percent)'),
  getBatch: call(`batch = client.batches.get("${ids.batch}")\nprint(batch.status, batch.percent)`),
  listBatchJobs: call(`for job in client.batches.items("${ids.batch}"):\n    print(job.id, job.status)`),
  cancelBatch: call(`batch = client.batches.cancel("${ids.batch}")\nprint(batch.status)`),
  retryBatch: call(
    `batch = client.batches.retry("${ids.batch}", include_canceled=False)\nprint(batch.status)`,
  ),
  downloadBatchResults: call(`client.batches.save_results("${ids.batch}", "results.zip")`),
  listPresets: call('for preset in client.presets.list():\n    print(preset.name)'),
  getPreset: call('preset = client.presets.get("portrait")\nprint(preset.operations)'),
  savePreset: call(`client.presets.save(
    "catalog",
    [{"operation": "auto_enhance", "level": "low"}, {"operation": "upscale"}],
    output={"format": "webp", "quality": 85},
)`),
  deletePreset: call('client.presets.delete("catalog")'),
  listEventTypes: call('for event in client.webhooks.events():\n    print(event.type)'),
  createWebhookEndpoint: call(`endpoint = client.webhooks.endpoints.create(
    "https://example.com/webhooks/images",
    events=["job.completed", "enhancement.failed"],
)
print(endpoint.secret)`),
  listWebhookEndpoints: call(
    'for endpoint in client.webhooks.endpoints.list():\n    print(endpoint.url, endpoint.enabled)',
  ),
  getWebhookEndpoint: call(
    `endpoint = client.webhooks.endpoints.get("${ids.endpoint}")\nprint(endpoint.failing_since)`,
  ),
  updateWebhookEndpoint: call(`client.webhooks.endpoints.update("${ids.endpoint}", enabled=False)`),
  deleteWebhookEndpoint: call(`client.webhooks.endpoints.delete("${ids.endpoint}")`),
  pingWebhookEndpoint: call(
    `delivery = client.webhooks.endpoints.ping("${ids.endpoint}")\nprint(delivery.id)`,
  ),
  rotateWebhookSecret: call(`endpoint = client.webhooks.endpoints.rotate_secret(
    "${ids.endpoint}", overlap_seconds=3600
)
print(endpoint.secret)`),
  recoverWebhookEndpoint: call(
    `since = datetime.now(timezone.utc) - timedelta(hours=1)
client.webhooks.endpoints.recover("${ids.endpoint}", since)`,
    'from datetime import datetime, timedelta, timezone\n\n',
  ),
  listWebhookDeliveries: call(
    'for each in client.webhooks.deliveries.list(status="failed"):\n    print(each.id, each.event_type)',
  ),
  getWebhookDelivery: call(
    `delivery = client.webhooks.deliveries.get("${ids.delivery}")\nprint(delivery.status, len(delivery.attempts))`,
  ),
  redeliverWebhookDelivery: call(`client.webhooks.deliveries.redeliver("${ids.delivery}")`),
  getCallbackSecret: call('print(client.webhooks.callback_secret.get())'),
  rotateCallbackSecret: call('print(client.webhooks.callback_secret.rotate(overlap_seconds=3600))'),
};
