import type { StageRef } from '../../models/manifest/model-route.js';
import { DeviceModel, type DeviceModelOptions } from '../device/stages/device-model.js';
import type { DeviceItem, DeviceOutcome, DeviceStage } from '../device/device-port.js';
import type { Engine } from '../engines/engine.js';
import { ServerUnavailable } from '../engines/triton/server-errors.js';

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

  /** @throws ServerUnavailable, after which the next call retries; Error like `DeviceModel.load` */
  async load(): Promise<DeviceModel> {
    this.loading ??= DeviceModel.load(this.engine, [this.stage], this.options).catch((error: unknown) => {
      this.loading = undefined;
      const { cause } = error as Error;
      throw cause instanceof ServerUnavailable ? cause : error;
    });
    return this.loading;
  }

  /** @throws ServerUnavailable; the signal's reason */
  async run(
    items: readonly DeviceItem[],
    signal: AbortSignal | undefined,
  ): Promise<readonly DeviceOutcome[]> {
    const model = await this.loaded();
    return model instanceof Error
      ? items.map(() => ({ ok: false, message: model.message }))
      : model.run(this.id, items, signal);
  }

  /** An Error for a model that differs from the manifest. @throws ServerUnavailable */
  private async loaded(): Promise<DeviceModel | Error> {
    try {
      return await this.load();
    } catch (error) {
      if (error instanceof ServerUnavailable || !(error instanceof Error)) throw error;
      return error;
    }
  }
}
