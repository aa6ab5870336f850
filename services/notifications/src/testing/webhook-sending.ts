import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/kernel/context';
import { selfSignedCertificate, type Certificate } from '@holdfast/testing/tls';
import { networksIn } from '../providers/address-policy.js';
import { createWebhookSender, type SenderOptions } from '../providers/webhook-sender.js';
import type { WebhookSender } from '../use-cases/webhooks/ports.js';
import { startRawReceiver, type RawBehaviour, type RawReceiver } from './raw-receiver.js';

/** Senders and receivers on this machine, whose certificate names `localhost`. */
export type WebhookSending = {
  readonly certificate: Certificate;
  /** Without options: every name is 127.0.0.1, loopback is allowed and the certificate is trusted. */
  readonly aSender: (options?: Partial<SenderOptions>) => WebhookSender & { readonly close: () => Promise<void> };
  readonly aReceiver: (behaviour: RawBehaviour) => Promise<RawReceiver>;
  readonly close: () => Promise<void>;
};

const loopback = networksIn('127.0.0.0/8,::1/128') ?? [];

export async function openWebhookSending(): Promise<WebhookSending> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-webhooks-'));
  const certificate = await selfSignedCertificate(folder);
  const opened: { readonly close: () => Promise<void> }[] = [];
  return {
    certificate,
    aSender: (options = {}) => {
      const resolveName = () => Promise.resolve(['127.0.0.1']);
      const usual = { clock: systemClock(), version: '1.2.3', allowedNetworks: loopback, ca: certificate.cert, resolveName };
      const sender = createWebhookSender({ ...usual, ...options });
      opened.unshift(sender);
      return sender;
    },
    aReceiver: async (behaviour) => {
      const receiver = await startRawReceiver(behaviour);
      opened.push(receiver);
      return receiver;
    },
    close: async () => {
      for (const { close } of opened) await close();
      rmSync(folder, { recursive: true });
    },
  };
}
