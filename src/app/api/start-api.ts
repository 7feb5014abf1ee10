import type { LoggerService } from '@nestjs/common';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { ImageProbe } from '../../uploads/receiving/image-probe.js';
import { listenFault } from '../../roles/listen-fault.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import type { RunningRole } from '../role/run-role.js';
import { createApi } from './create-api.js';
import { Shutdown } from './shutdown.js';
import { waitForStore } from './wait-for-store.js';

/** Starts listening. @throws StartError when the address or the port cannot be used */
export async function startApi(settings: RoleSettings, logger: LoggerService): Promise<RunningRole> {
  const { host, port } = settings.config;
  const app = await createApi(settings, logger);
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw listenFault(host, port, error as NodeJS.ErrnoException);
  }
  // Starts the image probe now, so that the first upload does not wait for it.
  void app.get(ImageProbe).warm();
  const address = app.getHttpServer().address();
  return {
    app,
    details: { port: typeof address === 'object' ? address?.port : port },
    untilReady: () =>
      settings.config.objectStore === undefined
        ? Promise.resolve()
        : waitForStore(app.get(ObjectStore), logger),
    delayMs: settings.config.shutdownDelayMs,
    beforeClose: () => app.get(Shutdown).announce(settings.config.shutdownDelayMs),
  };
}
