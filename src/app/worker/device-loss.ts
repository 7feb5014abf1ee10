import type { LoggerService } from '@nestjs/common';
import type { DeviceLostError } from '../../inference/device-fault.js';
import { exitAfterRuns, isExiting } from '../../inference/device/threads/exit-after-runs.js';

/** Exit code after a device thread died. The supervisor then starts a new process. */
const EXIT_DEVICE_LOST = 70;

/**
 * Ends a worker after a device thread died. A worker that is ready drains: it takes no more jobs, returns the jobs of
 * the device to the queue, and finishes the others.
 */
export class DeviceLoss {
  /** Undefined unless the worker ends because of a lost device. */
  exitCode: number | undefined;
  private canDrain = false;
  private isEnding = false;

  constructor(private readonly logger: LoggerService) {}

  /** From now on, SIGTERM drains this process. */
  ready(): void {
    this.canDrain = true;
  }

  /** The worker drains, and keeps its exit code if a device is lost meanwhile. */
  ending(): void {
    this.isEnding = true;
  }

  occurred(error: DeviceLostError): void {
    // A process that exits ends its threads itself.
    if (isExiting()) return;
    this.logger.fatal?.({ error: String(error) }, 'the device thread died', 'worker');
    if (this.isEnding) return;
    this.isEnding = true;
    this.exitCode = EXIT_DEVICE_LOST;
    if (this.canDrain) process.kill(process.pid, 'SIGTERM');
    else void exitAfterRuns(EXIT_DEVICE_LOST);
  }
}
