import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import type { Wanted } from '../../models/serving/wanted.js';
import { WorkerControlRepository } from '../../models/serving/worker-control.repository.js';
import { WorkerConsole } from '../../operator/workers/worker-console.js';
import { type AdminCommand, type Administered, answerOf } from '../administered.js';

const consoleOf = ({ database }: Administered): WorkerConsole =>
  new WorkerConsole(new ModelWorkersRepository(database), new WorkerControlRepository(database), database);

/** `worker list`: the response of `GET /operator/api/workers`. */
export const listWorkers: AdminCommand = async (administered) =>
  (await consoleOf(administered).list()).map(answerOf);

/** `worker drain`, `worker resume`, and `worker restart`. Repeating them changes nothing. */
export const wantOfWorker =
  (id: string, wanted: Wanted): AdminCommand =>
  async (administered) =>
    answerOf(await consoleOf(administered).want(id, wanted));

/** `worker log`: the last lines of a worker's log, as it wrote them. */
export const showWorkerLog =
  (id: string, lines: number): AdminCommand =>
  async (administered) =>
    answerOf(await consoleOf(administered).log(id, lines));
