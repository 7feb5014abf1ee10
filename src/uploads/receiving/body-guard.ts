import type { IncomingMessage } from 'node:http';
import type { ContentDigest } from '../../common/requests/content-digest.js';
import { AppError } from '../../kernel/app-error.js';
import { ProgressDeadline } from './progress-deadline.js';
import { ClientDisconnected } from './received-file.js';

/** The memory that a body may hold until it has arrived. */
export interface BodyHold {
  /** Aborted when others need the memory and the body arrives too slowly. */
  readonly revoked: AbortSignal;
  progress(bytes: number): void;
  /** The whole body has arrived. */
  arrived(): void;
}

export interface ProgressLimits {
  /** A body that sends fewer than `minProgressBytes` in this time is dropped. */
  readonly idleTimeoutMs: number;
  readonly minProgressBytes: number;
  readonly hold?: BodyHold;
}

export interface BodyLimits extends ProgressLimits {
  /** Largest body; one byte more is refused. */
  readonly maxBodyBytes: number;
  /** The error of a larger body. */
  readonly tooLarge: () => AppError;
}

/** Ends a body that is too large, too slow or abandoned. */
export class BodyGuard {
  private total = 0;
  private deadline: ProgressDeadline | undefined;
  private watch: (chunk: Buffer) => void = () => undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: BodyLimits,
    private readonly digest: ContentDigest,
  ) {}

  /**
   * Watches the body, whose bytes start to flow.
   * @param reject called with `payload_too_large`, `upload_timeout`, or ClientDisconnected
   */
  begin(reject: (error: AppError) => void): void {
    const { request } = this;
    if (request.destroyed && !request.readableEnded) {
      // The client disconnected before this, perhaps after its last byte, and the request emits no further events.
      reject(new ClientDisconnected());
      return;
    }
    const { maxBodyBytes, tooLarge, idleTimeoutMs, minProgressBytes, hold } = this.limits;
    const tooSlow = (): void => reject(new AppError('upload_timeout'));
    const started = new ProgressDeadline(idleTimeoutMs, minProgressBytes, tooSlow);
    hold?.revoked.addEventListener('abort', tooSlow);
    this.deadline = started;
    this.watch = (chunk) => {
      this.total += chunk.length;
      started.count(chunk.length);
      hold?.progress(chunk.length);
      this.digest.update(chunk);
      if (this.total > maxBodyBytes) reject(tooLarge());
    };
    request.on('data', this.watch);
    // All bytes have arrived; the remaining work does not depend on the sender.
    request.once('end', () => {
      started.restart();
      hold?.arrived();
    });
    request.once('error', () => reject(new ClientDisconnected()));
    request.once('close', () => request.complete || reject(new ClientDisconnected()));
  }

  /** Runs `work`, for which the body waits: a sender that cannot go on is not too slow. */
  async whilePaused(work: () => Promise<void>): Promise<void> {
    await (this.deadline === undefined ? work() : this.deadline.whilePaused(work));
  }

  end(): void {
    this.request.off('data', this.watch);
    this.deadline?.stop();
  }
}
