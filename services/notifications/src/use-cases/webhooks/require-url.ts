import { AppError } from '@holdfast/kernel/errors';
import type { UrlFinding, WebhookDeps } from './ports.js';

const faults: Readonly<Record<Exclude<UrlFinding, 'ok'>, string>> = {
  malformed: 'url must be a URL without user name, password and fragment',
  not_https: 'url must begin with https:',
  not_resolved: 'url has a name that does not resolve to an address',
  blocked_address: 'url must lead to a public address',
};

/** Outside of any transaction, because it asks the name servers. */
export async function requireReachableUrl({ sender }: Pick<WebhookDeps, 'sender'>, url: string): Promise<void> {
  const finding = await sender.checkUrl(url);
  if (finding !== 'ok') throw new AppError('VALIDATION_ERROR', { validationErrors: [faults[finding]] });
}
