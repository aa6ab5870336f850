import { randomUUID } from 'node:crypto';
import type { KnownUsers } from '@holdfast/shared/known-users';
import type { ServiceRuntime } from '@holdfast/shared/service-host';
import { createLane, intentStore, type IntentStore, type Lane, type LaneLimits, type Leases } from './lanes/index.js';
import { askStore } from './store/ask-store.js';
import { contractStore } from './store/contract-store.js';
import { eventStore } from './store/event-store.js';
import { shareCommits } from './store/shared-commits.js';
import { createTransactions } from './transactions/session.js';
import { transactionStore } from './transactions/transaction-store.js';
import type { Deps, EscrowProvider, NewFact } from './use-cases/ports.js';
import type { WalletsPart } from './wallets/ports.js';
import { handlersOf } from './workers.js';

export type AdapterOptions = {
  readonly runtime: Pick<ServiceRuntime, 'database' | 'outbox' | 'clock' | 'newId' | 'log'>;
  readonly walletsPart: Pick<WalletsPart, 'wallets' | 'sign' | 'network' | 'keepsUntold' | 'userHeard'>;
  readonly provider: EscrowProvider;
  /** Of source accounts. */
  readonly leases: Leases;
  readonly users: Pick<KnownUsers, 'hear' | 'notedVersion'>;
  readonly unconfirmedMsMax: number;
  readonly lane?: Partial<LaneLimits>;
  readonly leaseMs?: number;
};

export type Adapter = { readonly deps: Deps; readonly lane: Lane; readonly intents: IntentStore };

/** An intent whose process died is taken over after this long. */
const leaseMsDefault = 15_000;

/** The contracts' part of the service: what the use cases are given, and the lane that works off what they store. */
export function createAdapter(options: AdapterOptions): Adapter {
  const { walletsPart, provider, leases, users, unconfirmedMsMax, leaseMs = leaseMsDefault } = options;
  const { database, outbox, clock, newId, log } = options.runtime;
  const { wallets, sign, network, keepsUntold, userHeard } = walletsPart;
  const owner = randomUUID();
  const intents = intentStore({ database, owner, leaseMs });
  const commit = shareCommits({ database, clock, keepsUntold });
  const transactions = createTransactions({
    store: transactionStore({ database, keepsUntold }),
    leases,
    provider,
    network,
    sign,
    networkPassphrase: network.networkPassphrase,
  });
  const contracts = contractStore(database);
  const lane: Lane = createLane({
    store: intents,
    handlers: handlersOf(() => deps),
    log,
    ...(options.lane === undefined ? {} : { limits: options.lane }),
  });
  const { note, isClosedBy, ending, openOf } = intents;
  const deps: Deps = {
    inTransaction: database.inTransaction,
    commit,
    asks: askStore({ database, lane, lease: { owner, seconds: leaseMs / 1_000 } }),
    transactions,
    contracts,
    events: eventStore({ database, clock }),
    provider,
    wallets,
    network,
    users,
    tell: async (tx, fact) => {
      const aggregateVersion = fact.version ?? (await contracts.nextVersion(tx, fact.escrowId));
      return outbox.add(tx, fact.declaration, { ...messageOf(fact), aggregateVersion });
    },
    tellAgain: outbox.tell,
    intents: { wake: lane.wake, note, isClosedBy, ending, openOf },
    userHeard,
    clock,
    newId,
    log,
    unconfirmedMsMax,
  };
  return { deps, lane, intents };
}

/** Orders counts the same escrow's messages in rows of its own, so ours are a part of their own. */
function messageOf(fact: NewFact) {
  const { id, declaration, payload, escrowId, marketplaceId, correlationId, causationId, afterEventId } = fact;
  const { saga, sagaRunId } = fact;
  return {
    aggregateId: escrowId,
    aggregatePart: 'escrow-adapter',
    marketplaceId,
    correlationId,
    payload,
    step: declaration.type,
    ...(id === undefined ? {} : { id }),
    ...(causationId === undefined ? {} : { causationId }),
    ...(afterEventId === undefined ? {} : { afterEventId }),
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
  };
}
