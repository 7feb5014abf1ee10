import { afterEach, describe, expect, it, vi } from 'vitest';
import { DESCRIPTORS } from '../../config/env.js';
import { fileVariable } from '../../config/secrets/secret-files.js';
import type { Descriptor } from '../../config/variables/descriptor.js';
import { demoEnvironment } from './demo-environment.js';

const SERVICE_VARIABLES = Object.values<Descriptor<unknown>>(DESCRIPTORS).flatMap(({ name, isSecret }) =>
  isSecret === true ? [name, fileVariable(name)] : [name],
);

describe('demoEnvironment', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('takes over only settings of models, devices and images, and no other system', () => {
    for (const name of SERVICE_VARIABLES) vi.stubEnv(name, 'of the shell');
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.test');
    const environment = demoEnvironment('/tmp/demo');
    expect(environment).toMatchObject({
      DATA_DIR: '/tmp/demo',
      HOST: '127.0.0.1',
      PORT: '0',
      HTTPS_PROXY: 'http://proxy.test',
    });
    const kept = SERVICE_VARIABLES.filter((name) => environment[name] === 'of the shell');
    expect(kept.toSorted()).toEqual([
      'CODEC_MEMORY_BYTES',
      'DECODE_TIMEOUT_MS',
      'DECODE_TIMEOUT_MS_PER_MEGAPIXEL',
      'DISK_RESERVE_BYTES',
      'INFERENCE_DEVICE',
      'INFERENCE_DEVICES',
      'INFERENCE_MAX_BATCH',
      'INFERENCE_STREAMS',
      'INFERENCE_THREADS',
      'INFERENCE_TIMEOUT_MS',
      'LOG_LEVEL',
      'MAX_INPUT_PIXELS',
      'MAX_OUTPUT_PIXELS',
      'MAX_UPLOADS_PER_KEY',
      'MODELS_DIR',
      'MODELS_MIRROR',
      'MODELS_POLL_MS',
      'MODEL_CHECK_MEMORY_BYTES',
      'MODEL_SWAP',
      'MODEL_SWAP_TIMEOUT_MS',
      'PRECISION',
      'UPLOAD_IDLE_TIMEOUT_MS',
      'UPLOAD_MAX_BYTES',
      'UPLOAD_MIN_PROGRESS_BYTES',
      'UPLOAD_SLOT_WAIT_MS',
      'WORKER_CONCURRENCY',
      'WORKER_MEMORY_BYTES',
    ]);
  });
});
