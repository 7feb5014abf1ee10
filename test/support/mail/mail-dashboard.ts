import { Dashboard } from '../browser/dashboard-browser.js';
import { MailServer } from './mail-server.js';

/** A dashboard whose service sends email to a real SMTP server. */
export interface MailDashboard {
  readonly mails: MailServer;
  readonly dashboard: Dashboard;
  readonly close: () => Promise<void>;
}

/** @param email of the user who is signed up and signed in */
export async function startMailDashboard(email: string): Promise<MailDashboard> {
  const mails = await MailServer.start();
  const env = { SMTP_URL: mails.url, SMTP_FROM: 'mail@images.example' };
  const dashboard = await Dashboard.start({ roles: ['api', 'dispatcher'], env });
  await dashboard.signUp(email);
  return {
    mails,
    dashboard,
    close: async () => {
      await dashboard.close();
      await mails.down();
    },
  };
}
