import type { Envelope, MessageDeclaration, Payload } from '@holdfast/shared/contracts/messages';
import type { Tx } from '@holdfast/shared/postgres';
import type { Contract } from '../domain/contract.js';
import type { Intent } from '../lanes/index.js';
import type { ContractChange, Deps, TransactionSession } from './ports.js';

export type Ending<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  readonly change: ContractChange;
};

/** The one commit that ends an intent: what landed, what the contract is now, the message that says so, and the intent itself. */
export async function endIntent<M extends MessageDeclaration>(
  deps: Deps,
  { intent, contract, session }: Run,
  { declaration, payload, change }: Ending<M>,
): Promise<'closed'> {
  await deps.inTransaction(async (tx) => {
    // One trip: whoever has lost the intent is stopped before anything of it can be committed.
    const [, , , told] = await Promise.all([
      deps.intents.guard(tx, intent),
      session.record(tx),
      deps.contracts.change(tx, contract, change),
      tellOfIntent(deps, tx, intent, { declaration, payload, contract }),
    ]);
    deps.intents.close(tx, intent, [told]);
  });
  deps.log.info(
    { intentId: intent.id, escrowId: contract.escrowId, orderId: contract.orderId, told: declaration.type },
    'intent ended',
  );
  return 'closed';
}

/** What a run on an intent works with. */
export type Run = {
  readonly intent: Intent;
  readonly contract: Contract;
  readonly session: TransactionSession;
  readonly signal: AbortSignal;
};

type Told<M extends MessageDeclaration> = { readonly declaration: M; readonly payload: Payload<M>; readonly contract: Contract };

/** The answer to an ask: however often it is told, it is the same message. */
export function tellOfIntent<M extends MessageDeclaration>(
  deps: Pick<Deps, 'tell'>,
  tx: Tx,
  intent: Intent,
  { declaration, payload, contract }: Told<M>,
): Promise<Envelope> {
  const { escrowId, marketplaceId } = contract;
  return deps.tell(tx, {
    declaration,
    payload,
    escrowId,
    marketplaceId,
    correlationId: intent.correlationId,
    causationId: intent.id,
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
