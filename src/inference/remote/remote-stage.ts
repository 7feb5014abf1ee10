import type { StageRef } from '../../models/manifest/model-route.js';
import { DeviceModel, type DeviceModelOptions } from '../device/stages/device-model.js';
import type { DeviceItem, DeviceOutcome, DeviceStage } from '../device/device-port.js';
import type { Engine } from '../engines/engine.js';
import { ServerUnavailable, UnfitModel } from '../engines/triton/server-errors.js';

/** A stage on an inference server, compared with its manifest before the first run. */
export class RemoteStage {
  private loading: Promise<DeviceModel> | undefined;

  constructor(
    private readonly stage: DeviceStage,
    private readonly engine: Engine,
    private readonly options: DeviceModelOptions,
  ) {}

  get id(): string {
    return this.ref.id;
  }

  get ref(): StageRef {
    return this.stage.ref;
  }

  /** @throws ServerUnavailable, UnfitModel; the next call retries */
  async load(): Promise<DeviceModel> {
    this.loading ??= DeviceModel.load(this.engine, [this.stage], this.options).catch((error: unknown) => {
      this.loading = undefined;
      const { cause, message } = error as Error;
      throw cause instanceof ServerUnavailable ? cause : new UnfitModel(message, { cause });
    });
    return this.loading;
  }

  /** Compares the server's model with the manifest again before the next run. */
  compareAgain(): void {
    this.loading = undefined;
  }

  /** @throws ServerUnavailable; the signal's reason */
  async run(
    items: readonly DeviceItem[],
    signal: AbortSignal | undefined,
  ): Promise<readonly DeviceOutcome[]> {
    const model = await this.load().catch((error: unknown) => {
      // The server came back with another model. Jobs that were accepted meanwhile wait for the right one.
      throw error instanceof UnfitModel ? new ServerUnavailable(error.message, { cause: error }) : error;
    });
    return model.run(this.id, items, signal);
  }
}
