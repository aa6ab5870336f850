import { randomUUID } from 'node:crypto';
import { once } from '@holdfast/shared/outbox';
import type { KnownUsers } from '@holdfast/shared/known-users';
import type { ServiceRuntime } from '@holdfast/shared/service-host';
import {
  createLane,
  createLeases,
  intentStore,
  type Handler,
  type IntentStore,
  type Lane,
  type LaneLimits,
} from './lanes/index.js';
import { contractStore } from './store/contract-store.js';
import { eventStore } from './store/event-store.js';
import { createTransactions } from './transactions/session.js';
import { transactionStore } from './transactions/transaction-store.js';
import { deployContract } from './use-cases/deploy-contract.js';
import { fundContract } from './use-cases/fund-contract.js';
import type { Deps, EscrowProvider, IntentKind, NewFact } from './use-cases/ports.js';
import { settleContract } from './use-cases/settle-contract.js';
import type { WalletsPart } from './wallets/ports.js';

export type AdapterOptions = {
  readonly runtime: Pick<ServiceRuntime, 'database' | 'outbox' | 'clock' | 'newId' | 'log'>;
  readonly walletsPart: Pick<WalletsPart, 'wallets' | 'sign' | 'network' | 'noteLanded' | 'userHeard'>;
  readonly provider: EscrowProvider;
  readonly users: Pick<KnownUsers, 'hear' | 'notedVersion'>;
  readonly unconfirmedMsMax: number;
  readonly lane?: Partial<LaneLimits>;
  readonly leaseMs?: number;
};

export type Adapter = { readonly deps: Deps; readonly lane: Lane; readonly intents: IntentStore };

/** An intent whose process died is taken over after this long. */
const leaseMsDefault = 15_000;
const accountWaitMsMax = 10_000;

/** The contracts' part of the service: what the use cases are given, and the lane that works off what they store. */
export function createAdapter(options: AdapterOptions): Adapter {
  const { walletsPart, provider, users, unconfirmedMsMax, leaseMs = leaseMsDefault } = options;
  const { database, outbox, clock, newId, log } = options.runtime;
  const { wallets, sign, network, noteLanded, userHeard } = walletsPart;
  const { inTransaction } = database;
  const intents = intentStore({ database, owner: randomUUID(), leaseMs });
  const transactions = createTransactions({
    database,
    store: transactionStore(database),
    intents,
    leases: createLeases({ database, leaseMs, waitMsMax: accountWaitMsMax }),
    provider,
    network,
    sign,
    noteLanded,
    networkPassphrase: network.networkPassphrase,
  });
  const contracts = contractStore(database);
  const shared = { inTransaction, transactions, contracts, events: eventStore(database), provider, wallets, network, users };
  const lane: Lane = createLane({
    store: intents,
    handlers: handlersOf(() => deps),
    log,
    ...(options.lane === undefined ? {} : { limits: options.lane }),
  });
  const { guard, note, close, ending, openOf } = intents;
  const deps: Deps = {
    ...shared,
    isNew: (tx, messageId) => once(tx, 'escrow-adapter', messageId),
    tell: async (tx, fact) =>
      outbox.add(tx, fact.declaration, { ...messageOf(fact), aggregateVersion: await contracts.nextVersion(tx, fact.escrowId) }),
    tellAgain: outbox.tell,
    intents: { add: lane.add, wake: lane.wake, guard, note, close, ending, openOf },
    userHeard,
    clock,
    newId,
    log,
    unconfirmedMsMax,
  };
  return { deps, lane, intents };
}

function handlersOf(deps: () => Deps): Readonly<Record<IntentKind, Handler>> {
  return {
    deploy: (intent, signal) => deployContract(deps(), intent, signal),
    fund: (intent, signal) => fundContract(deps(), intent, signal),
    settle: (intent, signal) => settleContract(deps(), intent, signal),
  };
}

/** Orders counts the same escrow's messages in rows of its own, so ours are a part of their own. */
function messageOf({ id, declaration, payload, escrowId, marketplaceId, correlationId, causationId, sagaRunId }: NewFact) {
  return {
    aggregateId: escrowId,
    aggregatePart: 'escrow-adapter',
    marketplaceId,
    correlationId,
    payload,
    step: declaration.type,
    ...(id === undefined ? {} : { id }),
    ...(causationId === undefined ? {} : { causationId }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
  };
}
