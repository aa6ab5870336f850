/** A group of commands: the operations of a resource of the API, one command each. */
export type Group = {
  /** The resource in the operation ids and in the SDK. */
  readonly resource: string;
  readonly description: string;
  /** The columns of its table. */
  readonly columns: readonly string[];
  /** The method of the command that runs when none is named. */
  readonly defaultMethod?: string;
  /** Required fields that are arguments, not options. */
  readonly argumentFields?: readonly string[];
};

/** Beside commands of its own: `events tail`, `events resend`. */
export const eventsGroup: Group = {
  resource: 'events',
  description: 'events of the marketplace',
  columns: ['eventId', 'occurredAt', 'eventType', 'aggregateId'],
};

/** A new operation of one of these resources becomes a command by itself. */
export const groups: Readonly<Record<string, Group>> = {
  orders: {
    resource: 'orders',
    description: 'orders, their escrow and their milestones',
    columns: ['id', 'status', 'amount', 'currency', 'buyerId', 'sellerId', 'createdAt'],
  },
  users: {
    resource: 'users',
    description: 'users of the marketplace',
    columns: ['id', 'externalUserId', 'email', 'type', 'status', 'createdAt'],
  },
  balances: {
    resource: 'balances',
    description: 'balances of a user, reservations and transactions',
    columns: ['currency', 'available', 'reserved', 'total', 'updatedAt'],
  },
  disputes: {
    resource: 'disputes',
    description: 'disputes about orders',
    columns: ['id', 'orderId', 'status', 'reason', 'openedBy', 'assignedTo', 'createdAt'],
  },
  topups: {
    resource: 'topups',
    description: 'top-ups of a balance',
    columns: ['id', 'userId', 'status', 'amount', 'currency', 'createdAt'],
  },
  withdrawals: {
    resource: 'withdrawals',
    description: 'withdrawals to a bank account or to the ledger network',
    columns: ['id', 'userId', 'status', 'amount', 'currency', 'createdAt'],
  },
  wallets: {
    resource: 'wallets',
    description: 'wallets on the ledger network',
    columns: ['id', 'type', 'asset', 'amount', 'createdAt'],
  },
  webhooks: {
    resource: 'webhookEndpoints',
    description: 'webhook endpoints',
    columns: ['id', 'status', 'url', 'types', 'createdAt'],
  },
  deliveries: {
    resource: 'webhookDeliveries',
    description: 'deliveries to webhook endpoints',
    columns: ['id', 'endpointId', 'eventType', 'status', 'attempts', 'createdAt'],
  },
  summary: {
    resource: 'summary',
    description: 'the numbers of the marketplace',
    columns: [],
  },
  keys: {
    resource: 'apiKeys',
    description: 'API keys',
    columns: ['id', 'name', 'scopes', 'createdAt', 'expiresAt'],
  },
  marketplaces: {
    resource: 'marketplaces',
    description: 'marketplaces, with the master key',
    columns: ['id', 'name', 'createdAt'],
  },
  clock: {
    resource: 'testClock',
    description: 'the test clock of the marketplace, with the sandbox',
    columns: [],
    defaultMethod: 'get',
    argumentFields: ['by'],
  },
};
