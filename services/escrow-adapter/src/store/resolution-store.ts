import type { Envelope } from '@holdfast/contracts/messages';
import { toEpochMs, type Clock, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { toIntent, type IntentRow } from '@holdfast/intents';
import { findLive } from './transaction-sql.js';
import type { IntentOf, SagaIntentKind } from '../use-cases/ports.js';
import type { IntentOfRun, OpenPayout, Resolutions, TransactionOfRun } from '../use-cases/resolution-ports.js';
import { forUpdate, toContract } from './contract-store.js';
import * as sql from './resolution-sql.js';
import { contracts, resolutions, type TransactionRow } from './schema.js';

type Options = { readonly database: Pick<Database, 'inTransaction'>; readonly clock: Pick<Clock, 'now'> };

/** Reads and writes the decisions of operators about saga runs. */
export function resolutionStore({ database, clock }: Options): Resolutions {
  return {
    find: (sagaRunId) => database.inTransaction((tx) => intentOfRun(tx, sagaRunId, { ...read, now: clock.now() })),
    findOpenPayout: (withdrawalId, marketplaceId) =>
      database.inTransaction(async (tx) => (await tx.query<OpenPayout>(sql.findOpenPayout, [withdrawalId, marketplaceId]))[0]),
    onLocked: (sagaRunId, work) =>
      database.inTransaction(async (tx) => {
        const run = await intentOfRun(tx, sagaRunId, { ...lock, now: clock.now() });
        if (run === undefined) throw new AppError('NOT_FOUND', { sagaRunId });
        return work(tx, run);
      }),
    save: async (tx, resolution) => {
      await tx.query(sql.saveResolution([resolution]));
    },
    takeLease: async (tx, { id }) => {
      const [taken] = await tx.query<Pick<IntentRow, 'leaseToken'>>(sql.takeLease, [id]);
      if (taken === undefined) throw new Error(`intent ${id} does not exist`);
      return taken;
    },
    endForgotten: async (tx, { id }, landedHash) => {
      await tx.query(sql.endForgotten, [id, landedHash]);
    },
    addReply: async (tx, { id }, reply) => {
      await tx.query(sql.addReply, [id, JSON.stringify([reply])]);
    },
  };
}

const read = { intent: sql.findIntentOfRun, options: {} } as const;
const lock = { intent: sql.lockIntentOfRun, options: { lock: forUpdate } } as const;

type By = (typeof read | typeof lock) & { readonly now: Instant };

/** Every transaction locks intents before contracts. */
async function intentOfRun(tx: Tx, sagaRunId: SagaRunId, { now, ...by }: By): Promise<IntentOfRun | undefined> {
  const [found] = await tx.query<IntentRow & { readonly replies: readonly Envelope[] | null }>(by.intent, [sagaRunId]);
  // The intent of a payment has no contract, and its run belongs to another service.
  if (found === undefined || !isId(found.subject, 'esc')) return undefined;
  const { replies, ...row } = found;
  const contract = await tx.manager.findOne(contracts.entity, { where: { escrowId: found.subject }, ...by.options });
  if (contract === null) throw new Error(`Intent ${row.id} acts on ${row.subject}, which is not a contract.`);
  const transactions = await tx.query<TransactionRow>(findLive, [row.id]);
  const resolution = await tx.manager.findOneBy(resolutions.entity, { sagaRunId });
  return {
    intent: toIntent(row) as IntentOf<SagaIntentKind>,
    contract: toContract(contract),
    replies: replies ?? undefined,
    transactions: transactions.map((transaction) => toTransaction(transaction, now)),
    resolution: resolution ?? undefined,
  };
}

/** Nodes keep the ledgers of at least a day, so that younger transactions end by themselves. */
const rememberedMs = 86_400_000;

function toTransaction({ hash, step, state, validUntil }: TransactionRow, now: Instant): TransactionOfRun {
  const isMismatched = state === 'MISMATCHED';
  if (state !== 'OPEN') return { hash, step, state: 'ended', isMismatched };
  const isForgotten = toEpochMs(now) - toEpochMs(validUntil) > rememberedMs;
  return { hash, step, state: isForgotten ? 'forgotten' : 'open', isMismatched };
}
