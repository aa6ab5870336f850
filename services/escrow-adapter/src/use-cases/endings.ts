import type { Envelope, MessageDeclaration, Payload } from '@holdfast/shared/contracts/messages';
import type { Tx } from '@holdfast/shared/postgres';
import type { Contract } from '../domain/contract.js';
import type { Intent } from '../lanes/index.js';
import type { ContractChange, Deps, TransactionSession } from './ports.js';

export type Ending<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** What becomes of the contract as it is when the intent ends. */
  readonly change: (contract: Contract) => ContractChange;
};

/** The one commit that ends an intent: what landed, what the contract is now, the message that says so, and the intent itself. */
export async function endIntent<M extends MessageDeclaration>(
  deps: Deps,
  { intent, contract, session }: Run,
  { declaration, payload, change }: Ending<M>,
): Promise<'closed'> {
  await deps.commit({
    intent,
    isCommitted: (tx) => deps.intents.isClosedBy(tx, intent),
    write: async (unit, current) => {
      session.record(unit);
      const { version } = unit.changeContract(current, change(current));
      const told = await tellOfIntent(deps, unit.tx, intent, { declaration, payload, contract, version });
      unit.closeIntent(intent, [told]);
    },
  });
  deps.log.info(
    { intentId: intent.id, escrowId: contract.escrowId, orderId: contract.orderId, told: declaration.type },
    'intent ended',
  );
  return 'closed';
}

/** What a run on an intent begins with. */
export type Work = {
  readonly intent: Intent;
  readonly contract: Contract;
  readonly signal: AbortSignal;
};

/** What it works with. */
export type Run = Work & { readonly session: TransactionSession };

type Told<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  readonly contract: Contract;
  readonly version?: number;
};

/** The answer to an ask: however often it is told, it is the same message. */
export function tellOfIntent<M extends MessageDeclaration>(
  deps: Pick<Deps, 'tell'>,
  tx: Tx,
  intent: Intent,
  { declaration, payload, contract, version }: Told<M>,
): Promise<Envelope> {
  const { escrowId, marketplaceId } = contract;
  return deps.tell(tx, {
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
export const givenUpReason = 'the provider or the ledger network could not be reached';

/** Nothing of it is under way: whoever asks this knows. */
export function isTimeToCallOff({ attempts }: Intent): boolean {
  return attempts >= attemptsMax;
}

/** Does a run's work, and whatever happens, writes down what has ended. */
export async function inSession<Result>({ session }: Run, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await session.end();
  }
}
