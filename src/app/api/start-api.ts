import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { ImageProbe } from '../../uploads/receiving/image-probe.js';
import { listenFault } from '../../roles/listen-fault.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import type { RunningRole } from '../role/run-role.js';
import { createApi } from './create-api.js';
import { Shutdown } from './shutdown.js';
import { waitForStore } from './wait-for-store.js';

/**
 * How many new connections may wait while the process is busy. The kernel lowers it to `net.core.somaxconn`. With the
 * 511 of Node.js, a burst of clients fills the queue: the kernel then drops connections, which clients repeat seconds
 * later, and resets some that clients take for established.
 */
const MAX_WAITING_CONNECTIONS = 65_535;

/** Starts listening. @throws StartError when the address or the port cannot be used */
export async function startApi(settings: RoleSettings, logger: LoggerService): Promise<RunningRole> {
  const { host, port } = settings.config;
  const app = await createApi(settings, logger);
  try {
    await listen(app, host, port);
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

/** Also for tests, which create the application from a testing module. */
export async function listen(app: NestFastifyApplication, host: string, port: number): Promise<void> {
  await app.listen({ host, port, backlog: MAX_WAITING_CONNECTIONS });
}
