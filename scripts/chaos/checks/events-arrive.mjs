import { grouped, listed } from './facts.mjs';

const OF_JOB = {
  completed: ['enhancement.completed', 'enhancement.queued', 'image.completed', 'job.completed'],
  failed: ['enhancement.failed', 'enhancement.queued'],
};
const OF_UPLOAD = ['image.uploaded', 'upload.finished'];

/** Checks that each job and each upload has exactly the events for what happened to it. */
export function eventsMatchSubjects({ final }) {
  const bySubject = grouped(final.events, ({ subject }) => subject);
  const typesOf = (id) => listed((bySubject.get(id) ?? []).map(({ type }) => type));
  const differs = (id, wanted) =>
    typesOf(id) === listed(wanted)
      ? []
      : [`${id} has the events ${typesOf(id) || 'none'} in place of ${listed(wanted)}`];
  return [
    ...final.jobs
      .filter(({ status }) => status in OF_JOB)
      .flatMap(({ id, status }) => differs(id, OF_JOB[status])),
    ...final.sources.flatMap(({ id }) => differs(id, OF_UPLOAD)),
  ];
}

/** Checks that each event has one successful delivery, which the receiver has acknowledged at least once. */
export function eventsAreDelivered({ received, final }) {
  const byEvent = grouped(final.deliveries, ({ event_id: id }) => id);
  const accepted = new Set(received.filter(({ status }) => status === 204).map(({ event }) => event));
  return final.events.flatMap(({ id, type, dispatched }) => {
    const deliveries = byEvent.get(id) ?? [];
    if (!dispatched) return [`${id} (${type}) was not dispatched`];
    if (deliveries.length !== 1) return [`${id} (${type}) has ${deliveries.length} deliveries`];
    if (deliveries[0].status !== 'succeeded')
      return [`${id} (${type}): its delivery is ${deliveries[0].status}`];
    return accepted.has(id) ? [] : [`${id} (${type}) is recorded as delivered and never arrived`];
  });
}

/** Checks that nothing arrives that was not recorded, is not signed, or belongs to another account. */
export function arrivalsAreGenuine({ received, final }) {
  const events = new Map(final.events.map((event) => [event.id, event]));
  return received.flatMap(({ event, account, fault }) => {
    if (fault !== null) return [`${event} arrived with a signature that does not hold: ${fault}`];
    if (!events.has(event)) return [`${event} arrived and is not recorded`];
    return events.get(event).account_id === account
      ? []
      : [`${event} arrived at an endpoint of another account`];
  });
}
