import type { Transfer } from './assets.js';
import { payoutShares, type PayoutShare } from './escrow-fees.js';
import type { Distribution, Escrow, EscrowCall, Milestone, MilestoneFlags } from './escrow.js';
import { hasSameState } from './escrow-state.js';
import { contractRefusal } from './operation-failure.js';

/** The contract after a call, and the transfers of the call in order. */
export type EscrowChange = { readonly escrow: Escrow; readonly transfers: readonly Transfer[] };

const distributionsMax = 50;

type Call<Name extends EscrowCall['name']> = Extract<EscrowCall, { name: Name }>;

/** What a call depends on beside the contract's own state. */
export type CallContext = {
  /** Receives the provider's fee where the call does not name the address, which is in the code then. */
  readonly feesAddress: string;
};

type Rules = {
  readonly [Name in EscrowCall['name']]: (escrow: Escrow, call: Call<Name>, context: CallContext) => EscrowChange;
};

const rules: Rules = {
  fund_escrow: fund,
  change_milestone_status: changeStatus,
  approve_milestone: approve,
  release_funds: release,
  release_milestone_funds: releaseMilestone,
  dispute_escrow: dispute,
  dispute_milestone: disputeMilestone,
  resolve_dispute: resolve,
  resolve_milestone_dispute: resolveMilestone,
  withdraw_remaining_funds: withdrawRemaining,
};

export function isEscrowCallName(name: string): name is EscrowCall['name'] {
  return Object.hasOwn(rules, name);
}

/** Decides a call by the rules of the contract, in their order there: returns the change or throws the refusal. */
export function applyEscrowCall(escrow: Escrow, call: EscrowCall, context: CallContext): EscrowChange {
  const { feesAddress = context.feesAddress } = 'feesAddress' in call ? call : {};
  // eslint-disable-next-line holdfast/no-type-assertion -- the table has the rule of this very call
  const rule = rules[call.name] as (...given: Parameters<typeof applyEscrowCall>) => EscrowChange;
  return rule(escrow, call, { ...context, feesAddress });
}

/** The struct must not have changed since the call was built. That the caller has the tokens is checked when they move. */
function fund(escrow: Escrow, { caller, units, expected }: Call<'fund_escrow'>): EscrowChange {
  refuseIf(units <= 0n, 'The amount must be greater than zero');
  refuseIf(
    !hasSameState(escrow, expected),
    'The provided escrow properties do not match the stored escrow (EscrowPropertiesMismatch)',
  );
  return {
    escrow: { ...escrow, balanceUnits: escrow.balanceUnits + units },
    transfers: [{ from: caller, to: escrow.contractId, asset: escrow.asset, units }],
  };
}

function changeStatus(escrow: Escrow, call: Call<'change_milestone_status'>): EscrowChange {
  const milestone = milestoneAt(escrow, call.index);
  refuseIf(call.caller !== escrow.roles.serviceProvider, 'Only the service provider can change the milestone status');
  const evidence = call.evidence ?? milestone.evidence;
  return unmoved(withMilestone(escrow, call.index, { ...milestone, status: call.status, evidence }));
}

function approve(escrow: Escrow, { caller, index }: Call<'approve_milestone'>): EscrowChange {
  const milestone = milestoneAt(escrow, index);
  refuseIf(caller !== escrow.roles.approver, 'Only the approver can approve the milestone');
  refuseIf(milestone.flags.approved, 'The milestone has already been approved');
  refuseIf(milestone.status === '', 'The milestone status cannot be empty');
  return unmoved(flagged(escrow, index, { approved: true }));
}

function release(escrow: Escrow, { caller }: Call<'release_funds'>, { feesAddress }: CallContext): EscrowChange {
  refuseIfSettled(escrow.flags, 'escrow');
  requireReleaseSigner(escrow, caller);
  refuseIf(escrow.milestones.length === 0, 'The escrow has no milestones');
  refuseIf(!escrow.milestones.every(({ flags }) => flags.approved), 'The escrow must be completed to release funds');
  refuseIf(escrow.flags.disputed, 'The escrow has been opened for dispute resolution');
  refuseIf(escrow.balanceUnits < escrow.units, 'The escrow balance is not enough to release the funds');
  const receiver = escrow.roles.receiver ?? escrow.roles.serviceProvider;
  const paid = payOut(escrow, [{ address: receiver, units: escrow.units }], feesAddress);
  return { ...paid, escrow: { ...paid.escrow, flags: { ...escrow.flags, released: true } } };
}

function releaseMilestone(escrow: Escrow, call: Call<'release_milestone_funds'>, { feesAddress }: CallContext): EscrowChange {
  const { flags, units = 0n, receiver = escrow.roles.serviceProvider } = milestoneAt(escrow, call.index);
  refuseIfSettled(flags, 'milestone');
  requireReleaseSigner(escrow, call.caller);
  refuseIf(!flags.approved, 'The milestone must be completed to release funds');
  refuseIf(flags.disputed, 'The milestone has been opened for dispute resolution');
  refuseIf(escrow.balanceUnits < units, 'The escrow balance is not enough to release the funds');
  const paid = payOut(escrow, [{ address: receiver, units }], feesAddress);
  return { ...paid, escrow: flagged(paid.escrow, call.index, { released: true }) };
}

function dispute(escrow: Escrow, { caller }: Call<'dispute_escrow'>): EscrowChange {
  refuseIf(escrow.flags.disputed, 'The escrow is already in dispute');
  refuseIf(escrow.flags.resolved, 'The escrow has already been resolved');
  refuseIf(escrow.flags.released, 'The escrow has already been released');
  refuseIf(caller === escrow.roles.disputeResolver, 'The dispute resolver cannot dispute the escrow');
  refuseIf(!Object.values(escrow.roles).includes(caller), 'You are not authorized to change the dispute flag');
  return unmoved({ ...escrow, flags: { ...escrow.flags, disputed: true } });
}

function disputeMilestone(escrow: Escrow, { caller, index }: Call<'dispute_milestone'>): EscrowChange {
  const { flags, receiver } = milestoneAt(escrow, index);
  refuseIfSettled(flags, 'milestone');
  refuseIf(flags.disputed, 'The milestone is already in dispute');
  const isHolder = [...Object.values(escrow.roles), receiver].includes(caller);
  refuseIf(!isHolder, 'You are not authorized to change the dispute flag');
  refuseIf(caller === escrow.roles.disputeResolver, 'The dispute resolver cannot dispute the milestone');
  return unmoved(flagged(escrow, index, { disputed: true }));
}

function resolve(escrow: Escrow, call: Call<'resolve_dispute'>, { feesAddress }: CallContext): EscrowChange {
  refuseIfTooMany(call.distributions);
  requireResolver(escrow, call.caller);
  refuseIf(!escrow.flags.disputed, 'The escrow is not in dispute');
  const total = totalOf(call.distributions);
  refuseIf(total !== escrow.balanceUnits, 'The sum of the distributions must equal the escrow balance');
  const paid = payOut(escrow, call.distributions, feesAddress);
  return { ...paid, escrow: { ...paid.escrow, flags: { ...escrow.flags, disputed: false, resolved: true } } };
}

function resolveMilestone(escrow: Escrow, call: Call<'resolve_milestone_dispute'>, { feesAddress }: CallContext): EscrowChange {
  refuseIfTooMany(call.distributions);
  requireResolver(escrow, call.caller);
  const { flags, units = 0n } = milestoneAt(escrow, call.index);
  refuseIf(!flags.disputed, 'The milestone is not in dispute');
  refuseIfSettled(flags, 'milestone');
  const total = totalOf(call.distributions);
  refuseIf(total > units, 'The sum of the distributions must not exceed the milestone amount');
  refuseIf(total > escrow.balanceUnits, 'The escrow balance is not enough for the distributions');
  const paid = payOut(escrow, call.distributions, feesAddress);
  const resolved = flagged(paid.escrow, call.index, { disputed: false, resolved: true });
  return { ...paid, escrow: withMilestone(resolved, call.index, { ...milestoneAt(resolved, call.index), status: 'resolved' }) };
}

function withdrawRemaining(escrow: Escrow, call: Call<'withdraw_remaining_funds'>, { feesAddress }: CallContext): EscrowChange {
  refuseIfTooMany(call.distributions);
  requireResolver(escrow, call.caller);
  const processed = escrow.type === 'single-release' ? [escrow.flags] : escrow.milestones.map(({ flags }) => flags);
  const isProcessed = processed.every(({ released, resolved, disputed }) => released || resolved || disputed);
  refuseIf(!isProcessed, 'Every milestone must be released, resolved or disputed first');
  refuseIf(totalOf(call.distributions) > escrow.balanceUnits, 'The escrow balance is not enough for the distributions');
  return payOut(escrow, call.distributions, feesAddress);
}

/** Both fees are deducted from each recipient's amount, so that the transfers add up to the distributed amounts. */
function payOut(escrow: Escrow, distributions: readonly Distribution[], feesAddress: string): EscrowChange {
  const amounts = distributions.map(({ units }) => units);
  const shares = payoutShares(amounts, escrow.platformFeeBasisPoints);
  const sum = (of: (share: PayoutShare) => bigint): bigint => shares.reduce((total, share) => total + of(share), 0n);
  const payouts = [
    { address: feesAddress, units: sum(({ protocolUnits }) => protocolUnits) },
    { address: escrow.roles.platformAddress, units: sum(({ platformUnits }) => platformUnits) },
    ...distributions.map(({ address }, index) => ({ address, units: shares[index]?.netUnits ?? 0n })),
  ];
  const transfers = payouts
    .filter(({ units }) => units > 0n)
    .map(({ address, units }) => ({ from: escrow.contractId, to: address, asset: escrow.asset, units }));
  const paidUnits = transfers.reduce((total, { units }) => total + units, 0n);
  return { escrow: { ...escrow, balanceUnits: escrow.balanceUnits - paidUnits }, transfers };
}

function refuseIfTooMany(distributions: readonly Distribution[]): void {
  refuseIf(distributions.length > distributionsMax, `There can be at most ${distributionsMax} distributions`);
}

function totalOf(distributions: readonly Distribution[]): bigint {
  refuseIf(distributions.length === 0, 'There must be at least one distribution');
  refuseIf(
    distributions.some(({ units }) => units <= 0n),
    'Every distributed amount must be greater than zero',
  );
  return distributions.reduce((total, { units }) => total + units, 0n);
}

function requireReleaseSigner({ roles }: Escrow, caller: string): void {
  refuseIf(caller !== roles.releaseSigner, 'Only the release signer can release the escrow funds');
}

function requireResolver({ roles }: Escrow, caller: string): void {
  refuseIf(caller !== roles.disputeResolver, 'Only the dispute resolver can execute this function');
}

function refuseIfSettled(flags: { readonly released: boolean; readonly resolved: boolean }, what: string): void {
  refuseIf(flags.released, `The ${what} has already been released`);
  refuseIf(flags.resolved, `The ${what} has already been resolved`);
}

function milestoneAt(escrow: Escrow, index: number): Milestone {
  const milestone = escrow.milestones[index];
  if (milestone === undefined) throw contractRefusal('The milestone index is not valid');
  return milestone;
}

function flagged(escrow: Escrow, index: number, flags: Partial<MilestoneFlags>): Escrow {
  const milestone = milestoneAt(escrow, index);
  return withMilestone(escrow, index, { ...milestone, flags: { ...milestone.flags, ...flags } });
}

function withMilestone(escrow: Escrow, index: number, milestone: Milestone): Escrow {
  return { ...escrow, milestones: escrow.milestones.with(index, milestone) };
}

function unmoved(escrow: Escrow): EscrowChange {
  return { escrow, transfers: [] };
}

function refuseIf(isBroken: boolean, reason: string): void {
  if (isBroken) throw contractRefusal(reason);
}
