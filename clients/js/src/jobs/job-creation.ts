import type { Job } from '../generated/schema.js';
import { Creation } from '../http/creation.js';
import type { Transport } from '../http/transport.js';
import type { RequestOptions } from '../options.js';
import type { JobOrder } from './order.js';

/** Seconds that the service is asked to wait for the image: below the idle timeout of common proxies. */
const HOLD_SECONDS = 25;

/** The creation of one job. */
export class JobCreation extends Creation<Job> {
  /** @param order JSON, or a form that includes the file */
  constructor(transport: Transport, order: JobOrder | FormData, idempotencyKey: string | undefined) {
    super(transport, { kind: 'job', path: '/ai/enhance', body: order }, idempotencyKey);
  }

  /**
   * Creates the job and reads its image from the response, if that is ready in time.
   * @returns the id of the job if it is not
   */
  async runForImage(options: RequestOptions): Promise<Uint8Array<ArrayBuffer> | string> {
    const patient = this.transport.forFile(options);
    // The image must arrive in the rest of the time.
    const holdSeconds = Math.floor(Math.min(HOLD_SECONDS, Math.max(0, patient.timeoutMs) / 2000));
    const headers = { accept: 'image/*', prefer: `wait=${holdSeconds}` };
    return this.transport.send({ ...this.request(), headers }, patient, async (response) => {
      const isImage = response.headers.get('content-type')?.startsWith('image/') === true;
      if (isImage) return new Uint8Array(await response.arrayBuffer());
      this.created = (await response.json()) as Job;
      return this.created.id;
    });
  }
}
