import { Module } from '@nestjs/common';
import { MailOutbox } from './mail-outbox.js';

/** Writes emails. MailDeliveryModule sends them. */
@Module({ providers: [MailOutbox], exports: [MailOutbox] })
export class MailModule {}
