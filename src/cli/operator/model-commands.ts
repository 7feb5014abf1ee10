import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { ModelConsole } from '../../operator/models/model-console.js';
import { type AdminCommand, type Administered, answerOf } from '../administered.js';

const consoleOf = ({ database, config }: Administered): ModelConsole =>
  new ModelConsole(new ModelWorkersRepository(database), database, config);

/** `model list`: the response of `GET /operator/api/models`. */
export const listModelVersions: AdminCommand = async (administered) =>
  (await consoleOf(administered).list()).data.map(answerOf);

/** `model reload`: as `npm run models -- reload`. */
export const reloadModelVersions: AdminCommand = async (administered) =>
  answerOf(await consoleOf(administered).reload());
