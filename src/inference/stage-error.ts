import { AppError } from '../kernel/app-error.js';

/** A stage failed for one item. Clients see `processing_failed`; the log contains the stage and the message. */
export class StageError extends AppError {
  override readonly name = 'StageError';

  constructor(
    /** `<operation>/<version>/<stage>` */
    readonly stageId: string,
    text: string,
    /** The device had too little memory even for this item alone. */
    readonly isOutOfMemory = false,
  ) {
    super('processing_failed', { internal: `The stage ${stageId} failed: ${text}` });
  }
}
