import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { VersionChoicesRepository } from '../../models/serving/version-choices.repository.js';
import { ModelConsole } from '../../operator/models/model-console.js';
import { ServingControl } from '../../operator/models/serving-control.js';
import { type AdminCommand, type Administered, answerOf } from '../administered.js';

const consoleOf = ({ database, config }: Administered): ModelConsole =>
  new ModelConsole(
    new ModelWorkersRepository(database),
    new VersionChoicesRepository(database),
    database,
    config,
  );

const servingOf = (administered: Administered): ServingControl => {
  const { database } = administered;
  return new ServingControl(
    consoleOf(administered),
    new ModelWorkersRepository(database),
    new VersionChoicesRepository(database),
    database,
  );
};

/** `model list`: the response of `GET /operator/api/models`. */
export const listModelVersions: AdminCommand = async (administered) =>
  (await consoleOf(administered).list()).data.map(answerOf);

/** `model reload`: as `npm run models -- reload`. */
export const reloadModelVersions: AdminCommand = async (administered) =>
  answerOf(await consoleOf(administered).reload());

/** `model serve`: which version serves; null: the highest valid one. Doing so twice changes nothing. */
export const serveModelVersion =
  (operation: string, version: number | null): AdminCommand =>
  async (administered) =>
    answerOf(await servingOf(administered).choose(operation, version));

/** `model roll-back`: the version before serves. */
export const rollBackModel =
  (operation: string): AdminCommand =>
  async (administered) =>
    answerOf(await servingOf(administered).rollBack(operation));
