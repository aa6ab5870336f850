import { withdrawalLedgerPayoutRequested, type Payload } from '@holdfast/contracts/messages';
import type { RunOutcome } from '@holdfast/contracts/http';
import type { Intent } from '@holdfast/intents';
import type { Context } from '@holdfast/kernel/context';
import { payoutMemoHash, type WithdrawalId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { assetOf } from '../domain/contract.js';
import { searchOf } from './find-earlier-payout.js';
import type { Deps } from './ports.js';
import { cancelRequested } from './request-payout-cancellation.js';
import type { ResolutionDeps } from './resolution-ports.js';
import { refuse } from './resolution-proof.js';

type PayoutRequest = Payload<typeof withdrawalLedgerPayoutRequested>;

export type ResolvePayout = {
  readonly id: WithdrawalId;
  readonly outcome: RunOutcome;
  readonly transactionHash?: string;
  readonly isCheck: boolean;
};

/**
 * Ends an open payout if the network proves the outcome. The next run of its intent proves it again and closes it: only a run holds the
 * lease, so nothing can be sent meanwhile. INVALID_STATE with a reason where the outcome is not proved.
 */
export async function resolvePayout(deps: ResolutionDeps, input: ResolvePayout, ctx: Context): Promise<void> {
  const { id: subject, outcome, transactionHash } = input;
  const { marketplaceId } = ctx.caller;
  const open = await deps.resolutions.findOpenPayout(subject, marketplaceId);
  if (open === undefined) return refuse('it has no open payout on the ledger network');
  const objection = await objectionTo(deps, withdrawalLedgerPayoutRequested.payload.parse(open.payload), input);
  if (objection !== undefined) refuse(objection);
  if (outcome === 'failed' && open.liveTransactions > 0)
    refuse('one of its transactions has landed or may still land; repeat the command when its time bounds have passed');
  if (input.isCheck) return;
  const proved = outcome === 'failed' ? cancelRequested : { provedHash: transactionHash };
  const intentId = await deps.inTransaction((tx) => deps.intents.requestOfOpen(tx, { subject, marketplaceId }, proved));
  if (intentId !== undefined) deps.intents.wake(intentId);
  ctx.log.warn({ withdrawalId: subject, outcome, transactionHash }, 'payout resolved by an operator');
}

async function objectionTo(deps: Deps, request: PayoutRequest, input: ResolvePayout): Promise<string | undefined> {
  const { outcome, transactionHash } = input;
  if (outcome === 'succeeded' && transactionHash === undefined) return 'a success needs the hash of its transaction as proof';
  const hashes = await findAll(deps, request);
  if (hashes === undefined) return 'the history of the paying accounts is long and is still being searched; repeat the command';
  if (outcome === 'failed')
    return hashes.length === 0 ? undefined : `the network has payments with the memo of this withdrawal: ${hashes.join(', ')}`;
  if (transactionHash === undefined || !hashes.includes(transactionHash))
    return `${String(transactionHash)} is not a successful payment of this platform with the memo of this withdrawal`;
  return (await paysAll(deps, request, transactionHash))
    ? undefined
    : `transaction ${transactionHash} does not pay the whole amount`;
}

const searchesMax = 20;

async function findAll(deps: Deps, request: PayoutRequest): Promise<readonly string[] | undefined> {
  const sought = await searchOf(deps, request, payoutMemoHash(request.withdrawalId));
  for (let search = 0; search < searchesMax; search += 1) {
    const found = await deps.network.findPayments(sought);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Exactly the amount, in one or several transfers of one transaction. */
async function paysAll(deps: Deps, { userId, amount, currency, address }: PayoutRequest, hash: string): Promise<boolean> {
  const payers = await deps.wallets.payersOf(userId);
  const expected = parseMoney(amount, currency);
  const asset = assetOf(expected.currency);
  const paid = (await deps.network.transfers(hash)).filter(
    (transfer) => payers.includes(transfer.from) && transfer.to === address && transfer.asset === asset,
  );
  return paid.reduce((sum, { units }) => sum + units, 0n) === expected.units;
}

/** The transaction that an operator has named, if the network proves that it has paid the withdrawal. */
export async function provedPayment(deps: Deps, intent: Intent, request: PayoutRequest): Promise<string | undefined> {
  const hash = intent.workerState['provedHash'];
  if (typeof hash !== 'string') return undefined;
  const { withdrawalId: id } = request;
  const input = { id, outcome: 'succeeded', transactionHash: hash, isCheck: true } as const;
  return (await objectionTo(deps, request, input)) === undefined ? hash : undefined;
}
