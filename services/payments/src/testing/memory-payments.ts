import * as message from '@holdfast/contracts/messages';
import type { Handler } from '@holdfast/intents';
import type { Caller, Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { parseMoney, parseUnits } from '@holdfast/kernel/money';
import type { KnownUser } from '@holdfast/service-kit/known-users';
import { manualClock, type ManualClock } from '@holdfast/testing/clock';
import { collectingLog, type CollectingLog } from '@holdfast/testing/log';
import { trackDeliveries } from '@holdfast/testing/memory';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import { cancelPayin } from '../use-cases/cancel-payin.js';
import { createPayin } from '../use-cases/create-payin.js';
import { createTopup, type CreateTopup } from '../use-cases/create-topup.js';
import type { PaymentSettings } from '../use-cases/payment-settings.js';
import type { Deps } from '../use-cases/ports.js';
import { requestWithdrawal, type CreateWithdrawal } from '../use-cases/request-withdrawal.js';
import { sendPayout } from '../use-cases/send-payout.js';
import { deliver } from './deliver.js';
import { memoryPorts, type MemoryPorts } from './memory-ports.js';
import { memoryProvider, type MemoryProvider } from './memory-provider.js';
import { notInMemory } from './memory-stores.js';
import { simulateLedger, type SimulatedLedger } from './simulated-ledger.js';

/** The use cases of payments on in-memory ports, for tests of decisions. A simulated ledger replies to their commands. */
export type MemoryPayments = {
  readonly deps: Deps;
  readonly ports: MemoryPorts;
  readonly provider: MemoryProvider;
  readonly ledger: SimulatedLedger;
  readonly clock: ManualClock;
  readonly log: CollectingLog;
  /** The context of a request, by default of an API key of the default marketplace. */
  readonly by: (caller?: Partial<Caller>, operationId?: string) => Context;
  /** Adds a user to identity. */
  readonly aUser: (given?: Partial<KnownUser> & { readonly email?: string }) => UserId;
  /** A user with a payment account and this much available. */
  readonly aPayee: (available?: string) => Promise<UserId>;
  readonly aTopup: (given?: Partial<CreateTopup>) => Promise<Topup>;
  /** A withdrawal whose amount is reserved. */
  readonly aWithdrawal: (given?: Partial<CreateWithdrawal>) => Promise<Withdrawal>;
  /** Stops and resumes the platform. */
  readonly setStopped: (isStopped: boolean) => void;
  /** The addresses of the platform on the ledger network. */
  readonly ownAddresses: Set<string>;
  /** The public events about a user or payment, in the order of publishing. */
  readonly eventsOf: (id: string) => readonly message.Envelope[];
  readonly auditsOf: (id: string) => readonly message.AuditFact[];
  /** Resolves when every message has been handled. Rejects with the first error of a handler. */
  readonly idle: () => Promise<void>;
};

const limits = {
  retries: { firstAfterMs: 60_000, afterMsMax: 3_600_000 },
  deadlines: { sagas: ['withdraw'], afterMs: 3_600_000 },
};

const settings: PaymentSettings = {
  topupLimits: { minUnits: parseUnits('1.00'), maxUnits: parseUnits('10000.00') },
  withdrawalLimits: { minUnits: parseUnits('1.00'), maxUnits: parseUnits('5000.00') },
  withdrawalsPerMinuteMax: 3,
  unabortedAfterMs: 3_600_000,
  timeoutMs: 2_000,
  publicUrl: 'https://holdfast.example',
  topupsPerMinuteMax: 3,
  topupReturnUrl: undefined,
  topupCancelUrl: undefined,
  redirectHosts: undefined,
  payinConfirmation: undefined,
  caseApprovalUnits: undefined,
  payoutUnitsMax: undefined,
  resolveApprovalAmount: undefined,
  recheckAfterMs: 1_000,
};

const publicTypes = new Set(message.allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

export function memoryPayments(given: Partial<PaymentSettings> = {}): MemoryPayments {
  const clock = manualClock();
  const newId = idFactory(clock.epochMs);
  const log = collectingLog();
  const by: MemoryPayments['by'] = (caller = {}, operationId) => {
    const usual = { type: 'api_key', id: 'key_1', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
    const operation = operationId === undefined ? {} : { operationId };
    return { requestId: newId('evt'), caller: { ...usual, ...caller }, at: clock.now(), log, ...operation };
  };
  const deliveries = trackDeliveries((envelope) =>
    deliver(deps, envelope, { ...by({ type: 'system' }), requestId: envelope.correlationId }),
  );
  const ledger = simulateLedger(deliveries.publish, clock, newId);
  const ports = memoryPorts({ clock, newId, onPublished: ledger.onPublished, handlers: handlersOf(() => deps), ...limits });
  const provider = memoryProvider();
  const emails = new Map<UserId, string>();
  const ownAddresses = new Set<string>();
  const stop = { isStopped: false };
  const { tables: _tables, ...stored } = ports;
  const deps: Deps = {
    ...stored,
    users: { ...stored.users, findEmail: async ({ userId }) => emails.get(userId) ?? null },
    bookings: notStored(['ofPayins', 'ofPayouts', 'succeededTopups', 'completedWithdrawals', 'hasActiveCases']),
    books: notStored(['externalUnits', 'publishedDeposits', 'terms', 'bookedDeposits', 'custodyPage']),
    reports: { ...stored.reports, exclusively: (_, work) => work(), measure: () => undefined },
    balances: { available: async ({ userId, currency }) => parseMoney(ledger.balanceOf(userId).available, currency) },
    addresses: { look: async (address) => ({ isOwn: ownAddresses.has(address), payoutUnitsMax: parseUnits('6000.00') }) },
    ledgerPayouts: notStored(['requestCancellation', 'resolve']),
    credentials: notStored(['verify']),
    provider,
    emergencyStop: emergencyStopOf(stop),
    payoutCap: {
      begin: () => Promise.resolve(),
      describe: () => Promise.resolve({ name: 'payouts USD', max: null, spent: '0.00' }),
    },
    settings: { ...settings, ...given },
    clock,
    newId,
    log,
  };
  return {
    ...{ deps, ports, provider, ledger, clock, log, by, ownAddresses, idle: deliveries.idle },
    setStopped: (isStopped) => void (stop.isStopped = isStopped),
    ...paymentsOf({ deps, ports, ledger, by, emails }),
    ...observersOf(ports),
  };
}

/** Without the pause of the real handlers while the platform is stopped. */
function handlersOf(deps: () => Deps): Readonly<Record<string, Handler>> {
  return {
    'create-payin': (intent, signal) => createPayin(deps(), intent, signal),
    'cancel-payin': (intent, signal) => cancelPayin(deps(), intent, signal),
    'create-payout': (intent, signal) => sendPayout(deps(), intent, signal),
  };
}

/** A port that no unit test needs. */
function notStored<Name extends string>(names: readonly Name[]): Record<Name, () => never> {
  return Object.fromEntries(names.map((name) => [name, notInMemory(name)])) as Record<Name, () => never>;
}

function emergencyStopOf(stop: { isStopped: boolean }): Deps['emergencyStop'] {
  const refuse = async (error: AppError): Promise<void> => {
    if (stop.isStopped) throw error;
  };
  return {
    isStopped: async () => stop.isStopped,
    assertNotStopped: () => refuse(Object.assign(new AppError('SERVICE_UNAVAILABLE'), { name: 'IntentPaused' })),
    requireNotStopped: () => refuse(new AppError('PLATFORM_STOPPED')),
    handleChanged: async ({ payload }) => void (stop.isStopped = payload.isStopped),
    job: { name: 'emergency-stop', everyMs: 1_000, run: () => Promise.resolve() },
  };
}

type Making = Pick<MemoryPayments, 'deps' | 'ports' | 'ledger' | 'by'> & { readonly emails: Map<UserId, string> };

function paymentsOf({ deps, ports, ledger, by, emails }: Making) {
  const aUser: MemoryPayments['aUser'] = ({ email, ...given } = {}) => {
    const id = deps.newId('usr');
    const receivedAt = by().at;
    const user = { id, marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1, receivedAt } as const;
    ports.users.addToIdentity({ ...user, ...given });
    if (email !== undefined) emails.set(id, email);
    return id;
  };
  const aPayee: MemoryPayments['aPayee'] = async (available = '100.00') => {
    const userId = aUser();
    const marketplaceId = defaultMarketplaceId;
    const account = { userId, marketplaceId, paymentAccountUserId: `account-${userId}`, email: `${userId}@example.com` };
    await deps.inTransaction((tx) => tx.accounts.insertIfNew({ ...account, linkedAt: by().at }));
    ledger.setAvailable(userId, available);
    return userId;
  };
  const destination = { type: 'bank', ref: 'account-7' } as const;
  return {
    aUser,
    aPayee,
    aTopup: async (given: Partial<CreateTopup> = {}) =>
      createTopup(deps, { userId: given.userId ?? (await aPayee()), amount: '50.00', currency: 'USD', ...given }, by()),
    aWithdrawal: async (given: Partial<CreateWithdrawal> = {}) => {
      const usual = { amount: '40.00', currency: 'USD', destination, commit: false } as const;
      return requestWithdrawal(deps, { ...usual, userId: given.userId ?? (await aPayee()), ...given }, by());
    },
  };
}

function observersOf({ tables }: MemoryPorts): Pick<MemoryPayments, 'eventsOf' | 'auditsOf'> {
  const about = (id: string): readonly message.Envelope[] =>
    [...tables.committed().outbox.values()].filter(({ aggregateId }) => aggregateId === id);
  return {
    eventsOf: (id) => about(id).filter(({ type }) => publicTypes.has(type)),
    auditsOf: (id) =>
      about(id)
        .filter(({ type }) => type === 'audit.recorded')
        .map(({ payload }) => payload as message.AuditFact),
  };
}
