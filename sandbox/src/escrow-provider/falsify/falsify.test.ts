import type { FalsifyingKind } from '../../control/fault-kinds.js';
import {
  builtCalls,
  buyer,
  escrowContract,
  factory,
  feeAddress,
  maxTime,
  resolver,
  seller,
  stranger,
  type BuiltCall,
} from '../../testing/built-envelopes.js';
import { differences } from '../../testing/envelope-differences.js';
import { falsify } from './falsify.js';

const everyCall = Object.keys(builtCalls) as readonly BuiltCall[];

/** What the kind changes in the transaction of a call. */
function changed(kind: FalsifyingKind, call: BuiltCall, strikes = 1) {
  const honest = builtCalls[call]();
  return differences(honest, falsify(honest, { kind, strikes, stranger }));
}

/** A changed argument of the call, which is also an argument of its authorization. */
function inCall(path: string, before: string, after: string) {
  return { [`call.${path}`]: [before, after], [`auth.0.${path}`]: [before, after] };
}

const signerOf = (call: BuiltCall): string => {
  if (call === 'complete') return seller;
  return call.startsWith('resolve') || call === 'withdraw' ? resolver : buyer;
};

describe('a falsified transaction', () => {
  it.each(everyCall)('of wrong-contract is for another contract: %s', (call) => {
    const honest = call.startsWith('deploy') ? factory : escrowContract;
    const found = changed('wrong-contract', call);
    expect(found).toEqual(inCall('contract', honest, String(found['call.contract']?.[1])));
    expect(found['call.contract']?.[1]).toMatch(/^C[A-Z2-7]{55}$/);
  });

  it.each([
    ['deploySingle', 'tw_new_single_release_escrow', 'initialize_escrow'],
    ['deployMulti', 'tw_new_multi_release_escrow', 'initialize_escrow'],
    ['fund', 'fund_escrow', 'update_escrow'],
    ['complete', 'change_milestone_status', 'approve_milestone'],
    ['approve', 'approve_milestone', 'change_milestone_status'],
    ['release', 'release_funds', 'dispute_escrow'],
    ['releaseMilestone', 'release_milestone_funds', 'dispute_milestone'],
    ['dispute', 'dispute_escrow', 'release_funds'],
    ['disputeMilestone', 'dispute_milestone', 'approve_milestone'],
    ['resolve', 'resolve_dispute', 'withdraw_remaining_funds'],
    ['resolveMilestone', 'resolve_milestone_dispute', 'withdraw_remaining_funds'],
    ['withdraw', 'withdraw_remaining_funds', 'resolve_milestone_dispute'],
  ] as const)('of wrong-function calls another function: %s', (call, honest, other) => {
    expect(changed('wrong-function', call)).toEqual(inCall('function', honest, other));
  });

  it.each(everyCall)('of extra-operation has a payment too: %s', (call) => {
    expect(changed('extra-operation', call)).toEqual({ 'operations.1': [undefined, 'payment'] });
  });

  it.each(everyCall)('of foreign-credential has an address credential: %s', (call) => {
    expect(changed('foreign-credential', call)).toEqual({
      'auth.0.credentials': ['source account', `address ${signerOf(call)}`],
    });
  });

  it.each(everyCall)('of endless-bounds has no upper bound, or one a year ahead: %s', (call) => {
    const farTime = String(maxTime + 365 * 24 * 60 * 60);
    expect(changed('endless-bounds', call, 1)).toEqual({ maxTime: [String(maxTime), '0'] });
    expect(changed('endless-bounds', call, 2)).toEqual({ maxTime: [String(maxTime), farTime] });
    expect(changed('endless-bounds', call, 3)).toEqual({ maxTime: [String(maxTime), '0'] });
  });

  it.each(everyCall)('of huge-fee offers 50 XLM: %s', (call) => {
    expect(changed('huge-fee', call)).toEqual({ fee: ['100100', '500000000'] });
  });

  it.each([
    ['deploySingle', inCall('args.4.0.amount', 'i128 1000000000', 'i128 1000000001')],
    ['deployMulti', inCall('args.4.0.milestones.0.amount', 'i128 600000000', 'i128 600000001')],
    [
      'fund',
      {
        ...inCall('args.2', 'i128 1000000000', 'i128 1000000001'),
        'auth.0.below.0.args.2': ['i128 1000000000', 'i128 1000000001'],
      },
    ],
    ['resolve', inCall(`args.2.${buyer}`, 'i128 600000000', 'i128 600000001')],
    ['resolveMilestone', inCall(`args.3.${buyer}`, 'i128 600000000', 'i128 600000001')],
    ['withdraw', inCall(`args.2.${buyer}`, 'i128 600000000', 'i128 600000001')],
  ] as const)('of wrong-amount moves another amount: %s', (call, expected) => {
    expect(changed('wrong-amount', call)).toEqual(expected);
  });

  it.each([
    ['deploySingle', inCall('args.4.0.roles.receiver', `address ${seller}`, `address ${stranger}`)],
    ['deployMulti', inCall('args.4.0.milestones.0.receiver', `address ${seller}`, `address ${stranger}`)],
    ['fund', { 'auth.0.below.0.args.1': [`address ${escrowContract}`, `address ${stranger}`] }],
    ['release', inCall('args.1', `address ${feeAddress}`, `address ${stranger}`)],
    ['releaseMilestone', inCall('args.1', `address ${feeAddress}`, `address ${stranger}`)],
    ['releaseMilestoneWithoutFeeAddress', inCall('args.1', 'u32 1', 'u32 2')],
    ['releaseWithoutFeeAddress', inCall('args.0', `address ${buyer}`, `address ${stranger}`)],
  ] as const)('of wrong-receiver pays a stranger: %s', (call, expected) => {
    expect(changed('wrong-receiver', call)).toEqual(expected);
  });

  it.each([
    ['resolve', 2],
    ['resolveMilestone', 3],
    ['withdraw', 2],
  ] as const)('of wrong-receiver pays a share to a stranger: %s', (call, index) => {
    const both = (address: string, change: readonly unknown[]) => ({
      [`call.args.${index}.${address}`]: change,
      [`auth.0.args.${index}.${address}`]: change,
    });
    expect(changed('wrong-receiver', call)).toEqual({
      ...both(buyer, ['i128 600000000', undefined]),
      ...both(stranger, [undefined, 'i128 600000000']),
    });
  });

  it('of extra-transfer authorizes a second transfer', () => {
    const honest = differences(builtCalls.approve(), builtCalls.fund());
    const below = (part: string): string | undefined => honest[`auth.0.below.0.${part}`]?.[1];
    expect(changed('extra-transfer', 'fund')).toEqual({
      'auth.0.below.1.contract': [undefined, below('contract')],
      'auth.0.below.1.function': [undefined, 'transfer'],
      'auth.0.below.1.args.0': [undefined, `address ${buyer}`],
      'auth.0.below.1.args.1': [undefined, `address ${stranger}`],
      'auth.0.below.1.args.2': [undefined, 'i128 1000000000'],
    });
  });
});
