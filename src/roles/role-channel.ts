import { type RoleMessage, type ServingState, SUCCESSOR, type SupervisorMessage } from './role-messages.js';

/** Time limit for a response, because a parent process with an IPC channel that is no supervisor never responds. */
const ANSWER_MS = 5_000;

/** Sends a message to the supervisor; does nothing without one. */
export function sendToSupervisor(message: RoleMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

/** Calls `listener` for every message of the supervisor. */
export function onSupervisorMessage(listener: (message: SupervisorMessage) => void): () => void {
  const onMessage = (message: unknown): void => listener(message as SupervisorMessage);
  process.on('message', onMessage);
  return () => process.off('message', onMessage);
}

/**
 * Waits for the `begin` message of a supervisor that started this role before the database.
 * @returns the database URL
 */
export async function receiveDatabaseUrl(): Promise<string> {
  return new Promise((resolve) => {
    // After a disconnect, the message will never arrive.
    const onDisconnect = (): never => process.exit(0);
    process.once('disconnect', onDisconnect);
    const unsubscribe = onSupervisorMessage((message) => {
      if (message.type !== 'begin') return;
      unsubscribe();
      process.off('disconnect', onDisconnect);
      resolve(message.databaseUrl);
    });
    if (!process.connected) onDisconnect();
  });
}

/** Whether another process of the role keeps running until this one is ready. */
export function isSuccessor(): boolean {
  return process.argv.includes(SUCCESSOR);
}

/** The settings of the process that this one replaces; null when it replaces none. */
export async function predecessor(): Promise<ServingState | null> {
  if (process.send === undefined) return null;
  return new Promise((resolve) => {
    const unsubscribe = onSupervisorMessage((message) => {
      if (message.type === 'predecessor') settle(message.standing);
    });
    const timer = setTimeout(() => settle(null), ANSWER_MS);
    const settle = (standing: ServingState | null): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve(standing);
    };
    void sendToSupervisor({ type: 'whose-successor' });
  });
}
