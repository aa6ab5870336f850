import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Intent } from '../intents/index.js';
import type { ContractChange, Deps, TransactionSession } from './ports.js';

export type IntentCompletion<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** What becomes of the contract as it is when the intent ends. */
  readonly change: (contract: Contract) => ContractChange;
};

/** The one commit that ends an intent: what landed, what the contract is now, the message that says so, and the intent itself. */
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

/** What a run on an intent begins with. */
export type IntentContext = {
  readonly intent: Intent;
  readonly contract: Contract;
  readonly signal: AbortSignal;
};

/** What it works with. */
export type IntentRun = IntentContext & { readonly session: TransactionSession };

type IntentReply<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  readonly contract: Contract;
  readonly version?: number;
};

/** The answer to an ask: however often it is told, it is the same message. */
export function publishReply<M extends MessageDeclaration>(
  deps: Pick<Deps, 'publish'>,
  tx: Tx,
  intent: Intent,
  { declaration, payload, contract, version }: IntentReply<M>,
): Promise<Envelope> {
  const { escrowId, marketplaceId } = contract;
  return deps.publish(tx, {
    declaration,
    payload,
    escrowId,
    marketplaceId,
    correlationId: intent.correlationId,
    causationId: intent.id,
    ...(version === undefined ? {} : { version }),
    ...(intent.afterEventId === undefined ? {} : { afterEventId: intent.afterEventId }),
    ...(intent.saga === undefined ? {} : { saga: intent.saga }),
    ...(intent.sagaRunId === undefined ? {} : { sagaRunId: intent.sagaRunId }),
  });
}

/** How often an intent is taken up before what can still be called off is called off. */
const attemptsMax = 8;
export const unreachableReason = 'the provider or the ledger network could not be reached';

/** Nothing of it is under way: whoever asks this knows. */
export function hasUsedAllAttempts({ attempts }: Intent): boolean {
  return attempts >= attemptsMax;
}

/** Does a run's work, and whatever happens, writes down what has ended. */
export async function inSession<Result>({ session }: IntentRun, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } finally {
    await session.end();
  }
}
