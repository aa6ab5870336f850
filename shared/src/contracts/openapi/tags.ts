import type { RouteOwner } from '../http/index.js';

/** What readers of the reference call the part that answers. */
export const tagOf = {
  gateway: { name: 'Platform', description: 'How the platform is set up, and how it is.' },
  identity: { name: 'Users and keys', description: 'Marketplaces, API keys, users.' },
  'ledger-balance': { name: 'Balances', description: "A user's money: available, reserved, and what changed it." },
  orders: { name: 'Orders', description: 'Orders with their escrow, milestones, resolution and disputes.' },
  'escrow-adapter': { name: 'Wallets', description: 'Accounts on the ledger network.' },
  payments: { name: 'Top-ups and withdrawals', description: 'Money that comes in and goes out through the payment provider.' },
  notifications: { name: 'Events and audit', description: 'What happened, as a stream and as a trail.' },
} as const satisfies Record<RouteOwner, { readonly name: string; readonly description: string }>;

/** In the order of the reference. */
export const allTags = Object.values(tagOf);
