import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type ParsedMail, parseMail } from './parse-mail.js';

/** An email as the server accepted it. */
export interface ReceivedMail extends ParsedMail {
  readonly from: string;
  readonly to: string;
  /** `performance.now()` when the email was complete. */
  readonly atMs: number;
}

/** How the server responds to a recipient's address or to a whole message. */
export interface MailAnswer {
  readonly code: number;
  readonly text: string;
  readonly at: 'recipient' | 'message';
}

/** A real mail server on this machine that keeps everything it receives. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Rejections by recipient, in force as long as they are in this map. */
  readonly answers = new Map<string, MailAnswer>();
  /** Addresses given as recipients, including rejected ones, in order. */
  readonly asked: string[] = [];
  /** Called before the responses to the connection, to the sender and to each recipient. */
  beforeStep: () => Promise<void> = () => Promise.resolve();
  /** Called for each message before the response; if it never resolves, the message gets no response. */
  beforeAnswer: (mail: ReceivedMail) => Promise<void> = () => Promise.resolve();
  private server: SMTPServer | undefined;
  private port = 0;

  private constructor(private readonly login: { readonly user: string; readonly pass: string } | undefined) {}

  /** @param login that it requires; default: none, and it offers no sign-in */
  static async start(login?: { readonly user: string; readonly pass: string }): Promise<MailServer> {
    const server = new MailServer(login);
    await server.up();
    return server;
  }

  get url(): string {
    const login =
      this.login === undefined ? '' : `${this.login.user}:${encodeURIComponent(this.login.pass)}@`;
    return `smtp://${login}127.0.0.1:${this.port}`;
  }

  /** Open connections. */
  get connectionCount(): number {
    return this.server?.connections.size ?? 0;
  }

  /** Emails to one address, oldest first. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to === address);
  }

  /** Listens (again) on the same port. */
  async up(): Promise<void> {
    if (this.server !== undefined) return;
    this.server = this.make();
    this.server.on('error', () => undefined);
    const listening = this.server.listen(this.port, '127.0.0.1');
    await once(listening, 'listening');
    this.port = (listening.address() as AddressInfo).port;
  }

  /** The URL with a user, although this server requires none. */
  urlWith(user: string): string {
    return `smtp://${user}:secret@127.0.0.1:${this.port}`;
  }

  /** Closes every connection and stops listening. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    for (const connection of server.connections) connection.close();
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  }

  private make(): SMTPServer {
    const { login } = this;
    return new SMTPServer({
      authOptional: login === undefined,
      // The connection is not encrypted: nothing leaves this machine.
      allowInsecureAuth: true,
      disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) => {
        if (username === login?.user && password === login?.pass) done(null, { user: username });
        else done(Object.assign(new Error('Wrong user or password'), { responseCode: 535 }));
      },
      onConnect: (_session, done) => void this.step(null, done),
      onMailFrom: (_address, _session, done) => void this.step(null, done),
      onRcptTo: ({ address }, _session, done) => {
        this.asked.push(address);
        void this.step(refusal(this.answers.get(address), 'recipient'), done);
      },
      onData: (stream, { envelope }, done) => void this.take(stream, envelope, done),
    });
  }

  private async step(refused: Error | null, done: (refused: Error | null) => void): Promise<void> {
    await this.beforeStep();
    done(refused);
  }

  private async take(
    stream: SMTPServerDataStream,
    { mailFrom, rcptTo }: SMTPServerSession['envelope'],
    done: (refused: Error | null) => void,
  ): Promise<void> {
    const raw = await text(stream).catch(() => undefined);
    // A killed dispatcher, or `down`, may end the connection in the middle of a message.
    if (raw === undefined) return;
    const from = mailFrom === false ? '' : mailFrom.address;
    const to = rcptTo.map(({ address }) => address).join(',');
    const refused = refusal(this.answers.get(to), 'message');
    const mail = Object.assign(parseMail(raw), { from, to, atMs: performance.now() });
    if (refused === null) this.received.push(mail);
    await this.beforeAnswer(mail);
    done(refused);
  }
}

function refusal(answer: MailAnswer | undefined, at: MailAnswer['at']): Error | null {
  if (answer?.at !== at) return null;
  return Object.assign(new Error(answer.text), { responseCode: answer.code });
}
