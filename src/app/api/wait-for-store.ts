import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { errorText } from '../../kernel/errors/error-text.js';

const PAUSE_MS = 2_000;
const ADVICE =
  'the object store cannot be used: uploads and downloads get 503, and jobs wait. Check OBJECT_STORE_URL, ' +
  'S3_ENDPOINT, AWS_REGION, the credentials and the policy of the bucket, and run `npm run doctor`. ' +
  'Restart the service after you change a variable';

/**
 * Resolves when the object store responds. Until then, logs why it does not, once for each reason. The api meanwhile
 * serves everything that needs no object, so a store that is down for a while does not stop a restart.
 */
export async function waitForStore(store: Pick<ObjectStore, 'check'>, logger: LoggerService): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const fault = await faultOf(store);
    if (fault === undefined) break;
    if (fault !== last) logger.error({ error: fault }, ADVICE, 'storage');
    last = fault;
    await sleep(PAUSE_MS);
  }
  if (last !== undefined) logger.log('the object store can be used', 'storage');
}

async function faultOf(store: Pick<ObjectStore, 'check'>): Promise<string | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
