import { stepMessageIds, type Envelope, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import type { MessageId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { changedContract, type ContractChange } from '../domain/contract-change.js';
import { isSettledAt } from '../domain/settlement-scope.js';
import type { Intent, RunResult } from '@holdfast/intents';
import type { BuildOptions, Deps, IntentKind, IntentOf, IntentReplyType, SagaIntentKind } from './ports.js';
import type { TransactionSession } from '@holdfast/ledger-network/submission';

type CompletionMessage<Type extends string> = {
  readonly declaration: MessageDeclaration & { readonly type: Type };
  readonly payload: unknown;
};

/** How an intent ends: with a reply of one of these types. */
export type IntentCompletion<Type extends string = string> = CompletionMessage<Type> & {
  /** The public events that precede the reply, in their order, from the contract as it is after the change. */
  readonly events?: (contract: Contract) => readonly CompletionMessage<Type>[];
  /** Computes the change from the contract as it is locked when the intent is closed. */
  readonly change: (contract: Contract) => ContractChange;
};

/**
 * Closes an intent in one commit: its transactions, the contract, the reply in the outbox, and the intent row. The reply is one that the
 * step of the intent declares. `lastLedger` has its last transaction. Mostly the contract is as the run knows it. If it is not, the transaction
 * fails, and its retry locks and reads the contract first.
 */
export async function closeIntent<Kind extends SagaIntentKind>(
  deps: Deps,
  { intent, contract, session }: IntentRun<Kind>,
  completion: IntentCompletion<IntentReplyType<Kind>>,
  lastLedger?: number,
): Promise<'closed'> {
  const { escrowId, orderId } = contract;
  let known: Contract | undefined = contract;
  const { reply } = await deps.inTransaction(async (tx) => {
    const current = known ?? (await deps.intents.lockWithContract(tx, intent));
    known = undefined;
    await session.record(tx);
    return writeCompletion(deps, tx, { intent, contract: current, completion, lastLedger });
  });
  deps.log.info({ intentId: intent.id, escrowId, orderId, reply: reply.type }, 'intent closed');
  return 'closed';
}

type Completed<Kind extends SagaIntentKind> = {
  readonly intent: IntentOf<Kind>;
  readonly contract: Contract;
  readonly completion: IntentCompletion<IntentReplyType<Kind>>;
  readonly lastLedger?: number | undefined;
};

/** The reply that ends an intent, and its contract after it. */
export type Completion = { readonly reply: Envelope; readonly contract: Contract };

/**
 * Changes the contract, publishes the reply and closes the intent. Every way to end an intent writes it here. Throws TransactionConflict if
 * the contract is another one by now. A contract, or a milestone of it, pays out once: if a payout made outside was published before, its
 * messages end the intent, whatever was requested.
 */
export async function writeCompletion<Kind extends SagaIntentKind>(
  deps: Deps,
  tx: Tx,
  { intent, contract, completion, lastLedger }: Completed<Kind>,
): Promise<Completion> {
  const payout = await externalPayoutOf(deps, tx, contract, intent);
  const external = payout.at(-1);
  if (external !== undefined) {
    await deps.republish(tx, payout);
    const unchanged = changedContract(contract, { lastLedger }, 0);
    await deps.intents.closeWithContract(tx, intent, { replies: payout, at: deps.clock.now() }, [contract, unchanged]);
    return { reply: external, contract };
  }
  const { declaration, payload, change, events } = completion;
  const changes = { ...change(contract), lastLedger };
  const planned = changedContract(contract, changes);
  const messages = [...(events?.(planned) ?? []), { declaration, payload }];
  const changed = changedContract(contract, changes, messages.length);
  const replies = await publishInOrder(deps, tx, intent, { messages, contract });
  await deps.intents.closeWithContract(tx, intent, { replies, at: deps.clock.now() }, [contract, changed]);
  return { reply: lastOf(replies), contract: changed };
}

type Ordered = { readonly messages: readonly CompletionMessage<string>[]; readonly contract: Contract };

/** Each message counts as a version of the contract, and follows the public event before it. */
async function publishInOrder(deps: Deps, tx: Tx, intent: Intent, { messages, contract }: Ordered): Promise<readonly Envelope[]> {
  const published: Envelope[] = [];
  for (const [position, { declaration, payload }] of messages.entries()) {
    const before = published.at(-1);
    const after = before === undefined ? {} : { afterEventId: before.id };
    const version = contract.version + position + 1;
    published.push(await publishOfIntent(deps, tx, intent, { declaration, payload, contract, version, ...after }));
  }
  return published;
}

function lastOf(replies: readonly Envelope[]): Envelope {
  const reply = replies.at(-1);
  if (reply === undefined) throw new Error('an intent ends with a reply');
  return reply;
}

/** The messages about a payout outside this platform, if it was published. */
async function externalPayoutOf(
  { contracts }: Pick<Deps, 'contracts'>,
  tx: Tx,
  contract: Contract,
  { subjectPart }: Intent,
): Promise<readonly Envelope[]> {
  const { status, escrowId, milestones } = contract;
  if (subjectPart === undefined) {
    const payout = status === 'SETTLED' ? await contracts.findExternalPayout(tx, escrowId) : undefined;
    return payout === undefined ? [] : [payout];
  }
  const index = milestones.findIndex(({ ref }) => ref === subjectPart);
  return isSettledAt(contract, index) ? ((await contracts.findMilestonePayout(tx, escrowId, index)) ?? []) : [];
}

/** The input of one run of an intent. */
export type IntentContext<Kind extends IntentKind = IntentKind> = {
  readonly intent: IntentOf<Kind>;
  readonly contract: Contract;
  readonly signal: AbortSignal;
};

/** A run with its transaction session. */
export type IntentRun<Kind extends IntentKind = IntentKind> = IntentContext<Kind> & { readonly session: TransactionSession };

type NewReply<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  readonly contract: Contract;
  readonly version?: number;
  /** Whether it may have been published before. */
  readonly isRepeated?: boolean;
  /** The public event before it, if it differs from the event of the command. */
  readonly afterEventId?: MessageId;
};

/** Publishes a message of an open intent that its step declares. */
export function publishReply<
  Kind extends SagaIntentKind,
  M extends MessageDeclaration & { readonly type: IntentReplyType<Kind> },
>(deps: Pick<Deps, 'publish'>, tx: Tx, intent: IntentOf<Kind>, reply: NewReply<M>): Promise<Envelope> {
  return publishOfIntent(deps, tx, intent, reply);
}

/**
 * Publishes the reply to the requesting message. Its id follows from the saga run and the stored time of the request, so a repeat
 * is the same message.
 */
export function publishOfIntent<M extends MessageDeclaration>(
  deps: Pick<Deps, 'publish'>,
  tx: Tx,
  intent: Intent,
  { declaration, payload, contract, version, isRepeated = false, afterEventId = intent.afterEventId }: NewReply<M>,
): Promise<Envelope> {
  const { escrowId, orderId, marketplaceId } = contract;
  const messageId = stepMessageIds({ cause: intent.sagaRunId ?? intent.id, name: intent.kind, at: intent.requestedAt });
  return deps.publish(tx, {
    id: messageId(declaration.type),
    isRepeated,
    declaration,
    payload,
    escrowId,
    ...(declaration.aggregateType === 'Order' ? { orderId } : {}),
    marketplaceId,
    correlationId: intent.correlationId,
    ...(version === undefined ? {} : { version }),
    // The command of an intent follows from the public event before it, which is therefore predecessor and cause of the reply.
    causationId: afterEventId,
    afterEventId,
    ...(intent.saga === undefined ? {} : { saga: intent.saga }),
    ...(intent.sagaRunId === undefined ? {} : { sagaRunId: intent.sagaRunId }),
  });
}

/** The options of the provider calls of a run. */
export function buildOptionsOf({ intent, contract, signal }: IntentContext): BuildOptions {
  return { priority: intent.priority, marketplaceId: contract.marketplaceId, escrowId: contract.escrowId, signal };
}

/** Counted runs after which an intent that is not past its point of no return fails. Runs that only wait are not counted. */
const attemptsMax = 8;
export const unreachableReason = 'the provider or the ledger network could not be reached';

/** Only for intents without an open transaction: one that may still land must be resolved first. */
export function hasUsedAllAttempts({ attempts }: Intent): boolean {
  return attempts >= attemptsMax;
}

const operatorRetryMs = 86_400_000;

/** A landed transaction has moved something else than it must, so that the intent cannot end by itself. It is checked once a day. */
export const awaitOperator: RunResult = { retryInMs: operatorRetryMs, workerState: { isPastNoReturn: true } };

/** Runs `run` and records ended transactions afterwards, also when it throws. */
export async function inSession<Result>({ session }: Pick<IntentRun, 'session'>, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } finally {
    await session.end();
  }
}
