import type { RouteDeclaration } from '../http/index.js';

const accountApi = {
  name: 'Account API',
  description:
    'For people instead of marketplaces: registration, their own balances, wallets and projects, and escrow in one call each.',
};

/** The resources of the API by the first word of an operation id, in the order of the reference. */
const tags = {
  orders: { name: 'Orders', description: 'Orders between a buyer and a seller, their escrow and their milestones.' },
  disputes: { name: 'Disputes', description: 'Disputes about orders: opening, review, comments and resolution.' },
  users: { name: 'Users', description: 'Buyers and sellers of a marketplace.' },
  balances: { name: 'Balances', description: "A user's available and reserved funds, and the transactions that changed them." },
  statements: { name: 'Statements', description: 'What happened to a balance in a period, as JSON or CSV.' },
  wallets: { name: 'Wallets', description: "A user's account on the ledger network." },
  topups: { name: 'Top-ups', description: 'Payments into a balance through the payment provider.' },
  withdrawals: {
    name: 'Withdrawals',
    description: 'Payouts from a balance to a bank account, a payment account or a ledger address.',
  },
  reconciliation: { name: 'Reconciliation', description: 'Payments that could not be matched to an operation.' },
  events: { name: 'Events', description: 'The event stream, and the catalogue of its events, which are shown as webhooks.' },
  webhookEndpoints: {
    name: 'Webhook endpoints',
    description: 'URLs of yours to which events are posted, signed as in Standard Webhooks.',
  },
  webhookDeliveries: {
    name: 'Webhook deliveries',
    description: 'Each event that is posted to a webhook endpoint, with every attempt.',
  },
  summary: { name: 'Summary', description: 'Counters of a marketplace, for dashboards.' },
  audit: { name: 'Audit log', description: 'A tamper-evident log that says who did what.' },
  apiKeys: { name: 'API keys', description: 'API keys and access tokens.' },
  marketplaces: { name: 'Marketplaces', description: 'Tenants of the platform.' },
  operations: {
    name: 'Operations',
    description:
      'What operators see and do about the whole platform: saga runs, parked messages, providers, treasury, proof of the books.',
  },
  sandbox: { name: 'Sandbox', description: 'Controls of the simulated providers and network, for developers.' },
  testClock: {
    name: 'Test clock',
    description: 'With the sandbox only: the time of a marketplace, which can be advanced to see what happens by time.',
  },
  platform: { name: 'Platform', description: 'Configuration and health.' },
  accounts: accountApi,
  projects: accountApi,
  providerWebhooks: {
    name: 'Provider webhooks',
    description: 'Called by the escrow and payment providers, not by marketplaces.',
  },
} as const;

export type Tag = { readonly name: string; readonly description: string };

const byResource: ReadonlyMap<string, Tag> = new Map(Object.entries(tags));

export const allTags: readonly Tag[] = [...new Set(byResource.values())];
export const eventsTag: Tag = tags.events;

/** `orders.create` is listed under Orders. */
export function tagOf({ name }: Pick<RouteDeclaration, 'name'>): Tag {
  const tag = byResource.get(name.slice(0, name.indexOf('.')));
  if (tag === undefined) throw new Error(`no resource of the reference has the operation ${name}: name it as in orders.create`);
  return tag;
}
