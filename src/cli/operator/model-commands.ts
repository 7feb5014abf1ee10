import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { VersionChoicesRepository } from '../../models/serving/version-choices.repository.js';
import { ShadowFiguresRepository } from '../../models/serving/shadow/shadow-figures.repository.js';
import type { RequestedCanary, RequestedShadow } from '../../models/repository/version-choice.js';
import { AccountError } from '../../auth/account-error.js';
import { CanaryControl } from '../../operator/models/canary-control.js';
import { CanaryFiguresRepository } from '../../operator/models/canary-figures.repository.js';
import { ChoiceChanges } from '../../operator/models/choice-changes.js';
import { ModelConsole } from '../../operator/models/model-console.js';
import { ServingControl } from '../../operator/models/serving-control.js';
import { ShadowControl } from '../../operator/models/shadow-control.js';
import { ShadowFigures } from '../../operator/models/shadow-figures.js';
import { type AdminCommand, type Administered, answerOf } from '../administered.js';

const consoleOf = ({ database, config }: Administered): ModelConsole =>
  new ModelConsole(
    new ModelWorkersRepository(database),
    new VersionChoicesRepository(database),
    database,
    config,
  );

const changesOf = ({ database }: Administered): ChoiceChanges =>
  new ChoiceChanges(new VersionChoicesRepository(database), database);

/** The constructor arguments that the model controls share. */
export const controlled = (
  administered: Administered,
): readonly [ModelConsole, ModelWorkersRepository, ChoiceChanges] => [
  consoleOf(administered),
  new ModelWorkersRepository(administered.database),
  changesOf(administered),
];

const servingOf = (administered: Administered): ServingControl =>
  new ServingControl(...controlled(administered));
const canaryOf = (administered: Administered): CanaryControl =>
  new CanaryControl(...controlled(administered));
const shadowOf = (administered: Administered): ShadowControl =>
  new ShadowControl(...controlled(administered));

/** `model list`: the response of `GET /operator/api/models`. */
export const listModelVersions: AdminCommand = async (administered) =>
  (await consoleOf(administered).list()).data.map(answerOf);

/** `model reload`: does the same as `npm run models -- reload`. */
export const reloadModelVersions: AdminCommand = async (administered) =>
  answerOf(await consoleOf(administered).reload());

/** `model canary`: starts a canary, or changes its share. Repeating it changes nothing. */
export const setModelCanary =
  (operation: string, canary: RequestedCanary): AdminCommand =>
  async (administered) =>
    answerOf(await canaryOf(administered).set(operation, canary));

/** `model promote-canary` and `model cancel-canary`: the canary serves all new jobs, or none. */
export const endModelCanary =
  (operation: string, how: 'promote' | 'cancel'): AdminCommand =>
  async (administered) => {
    const { canary } = await consoleOf(administered).operation(operation);
    if (canary === null) throw new AccountError(`There is no canary of "${operation}".`);
    return answerOf(await canaryOf(administered)[how](operation, canary.version));
  };

/** `model canary-figures`: the response of `GET /operator/api/models/<operation>/canary`. */
export const showCanaryFigures =
  (operation: string): AdminCommand =>
  async ({ database }) => {
    const figures = await new CanaryFiguresRepository(database).read(operation);
    return figures === undefined ? [] : answerOf(figures);
  };

/** `model shadow`: starts a shadow, or changes its share. Repeating it changes nothing. */
export const setModelShadow =
  (operation: string, shadow: RequestedShadow): AdminCommand =>
  async (administered) =>
    answerOf(await shadowOf(administered).set(operation, shadow));

/** `model stop-shadow`: stops comparing further jobs. */
export const stopModelShadow =
  (operation: string): AdminCommand =>
  async (administered) => {
    const { shadow } = await consoleOf(administered).operation(operation);
    if (shadow === null) throw new AccountError(`There is no shadow of "${operation}".`);
    return answerOf(await shadowOf(administered).stop(operation, shadow.version));
  };

/** `model shadow-figures`: the response of `GET /operator/api/models/<operation>/shadow`. */
export const showShadowFigures =
  (operation: string): AdminCommand =>
  async ({ database }) => {
    const found = await new ShadowFigures(new ShadowFiguresRepository(database)).read(operation);
    return found === undefined ? [] : answerOf(found);
  };

/** `model serve`: chooses the version that serves; null chooses the highest valid one. Repeating it changes nothing. */
export const serveModelVersion =
  (operation: string, version: number | null): AdminCommand =>
  async (administered) =>
    answerOf(await servingOf(administered).choose(operation, version));

/** `model roll-back`: makes the previous version serve again. */
export const rollBackModel =
  (operation: string): AdminCommand =>
  async (administered) =>
    answerOf(await servingOf(administered).rollBack(operation));
