import { stepMessageIds, type Envelope, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Intent } from '@holdfast/intents';
import type { ContractChange, Deps, TransactionSession } from './ports.js';

export type IntentCompletion<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** Computes the change from the contract as it is locked when the intent is closed. */
  readonly change: (contract: Contract) => ContractChange;
};

/** Closes an intent in one commit: its transactions, the contract, the reply in the outbox, and the intent row. */
export async function closeIntent<M extends MessageDeclaration>(
  deps: Deps,
  { intent, contract, session }: IntentRun,
  { declaration, payload, change }: IntentCompletion<M>,
): Promise<'closed'> {
  await deps.commit({
    intent,
    isCommitted: (tx) => deps.intents.isClosedBy(tx, intent),
    write: async (unit, current) => {
      session.record(unit);
      const { version } = unit.changeContract(current, change(current));
      const reply = await publishReply(deps, unit.tx, intent, { declaration, payload, contract, version });
      unit.closeIntent(intent, [reply]);
    },
  });
  deps.log.info(
    { intentId: intent.id, escrowId: contract.escrowId, orderId: contract.orderId, reply: declaration.type },
    'intent closed',
  );
  return 'closed';
}

/** The input of one run of an intent. */
export type IntentContext = {
  readonly intent: Intent;
  readonly contract: Contract;
  readonly signal: AbortSignal;
};

/** A run with its transaction session. */
export type IntentRun = IntentContext & { readonly session: TransactionSession };

type IntentReply<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  readonly contract: Contract;
  readonly version?: number;
};

/**
 * Publishes the reply to the requesting message. Its id follows from the saga run and the stored time of the request, so a repeat
 * is the same message.
 */
export function publishReply<M extends MessageDeclaration>(
  deps: Pick<Deps, 'publish'>,
  tx: Tx,
  intent: Intent,
  { declaration, payload, contract, version }: IntentReply<M>,
): Promise<Envelope> {
  const { escrowId, marketplaceId } = contract;
  const messageId = stepMessageIds({ cause: intent.sagaRunId ?? intent.id, name: intent.kind, at: intent.requestedAt });
  return deps.publish(tx, {
    id: messageId(declaration.type),
    declaration,
    payload,
    escrowId,
    marketplaceId,
    correlationId: intent.correlationId,
    ...(version === undefined ? {} : { version }),
    // The command of an intent follows from the public event before it, which is therefore predecessor and cause of the reply.
    causationId: intent.afterEventId,
    afterEventId: intent.afterEventId,
    ...(intent.saga === undefined ? {} : { saga: intent.saga }),
    ...(intent.sagaRunId === undefined ? {} : { sagaRunId: intent.sagaRunId }),
  });
}

/** Runs after which an intent that is not past its point of no return fails. */
const attemptsMax = 8;
export const unreachableReason = 'the provider or the ledger network could not be reached';

/** Only for intents without an open transaction: one that may still land must be resolved first. */
export function hasUsedAllAttempts({ attempts }: Intent): boolean {
  return attempts >= attemptsMax;
}

/** Runs `run` and records ended transactions afterwards, also when it throws. */
export async function inSession<Result>({ session }: Pick<IntentRun, 'session'>, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } finally {
    await session.end();
  }
}
