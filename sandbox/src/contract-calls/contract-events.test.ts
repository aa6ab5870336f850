import { Asset, Keypair, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import type { Escrow, EscrowCall } from '../domain/escrow.js';
import { base64, scv } from '../testing/scvals.js';
import { eventsOf, returnValueOf } from './contract-events.js';
import { escrowStruct } from './escrow-struct.js';

const [buyer, issuer] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
const contractId = StrKey.encodeContract(Buffer.alloc(32, 7));
const token = new Asset('USDC', issuer).contractId('a network');

const escrow: Escrow = {
  type: 'single-release',
  engagementId: 'ord_1',
  title: '',
  description: '',
  roles: {
    approver: buyer,
    serviceProvider: buyer,
    platformAddress: buyer,
    releaseSigner: buyer,
    disputeResolver: buyer,
    receiver: buyer,
  },
  units: 10n,
  platformFeeBasisPoints: 0n,
  receiverMemo: 0,
  milestones: [],
  flags: { disputed: false, released: false, resolved: false },
  token,
  asset: `USDC:${issuer}`,
  contractId,
  signer: buyer,
  balanceUnits: 0n,
  createdAt: '',
  updatedAt: '',
};
const multi: Escrow = { ...escrow, type: 'multi-release', roles: { ...escrow.roles, receiver: undefined } };
const struct = (of: Escrow): string => escrowStruct(of).toXDR('base64');

describe('the events of a call', () => {
  it('are the transfers of the token and the event of the contract', () => {
    const fund: EscrowCall = { name: 'fund_escrow', caller: buyer, expected: '', units: 10n };
    const transfers = [{ from: buyer, to: contractId, asset: escrow.asset, units: 10n }];
    const asset = scv.string(`USDC:${issuer}`);
    expect(eventsOf(fund, { after: escrow, transfers })).toEqual([
      {
        contractId: token,
        topics: base64([scv.symbol('transfer'), scv.address(buyer), scv.address(contractId), asset]),
        data: scv.i128('10').toXDR('base64'),
      },
      {
        contractId,
        topics: base64([scv.symbol('tw_fund')]),
        data: scv.vec(scv.address(buyer), scv.i128('10')).toXDR('base64'),
      },
    ]);
  });

  it('name the native asset as native', () => {
    const release: EscrowCall = { name: 'release_funds', caller: buyer };
    const transfers = [{ from: contractId, to: buyer, asset: 'XLM', units: 1n }];
    const [moved] = eventsOf(release, { after: { ...escrow, asset: 'XLM' }, transfers });
    expect(moved?.topics[3]).toBe(scv.string('native').toXDR('base64'));
  });

  it.each<[string, EscrowCall, Escrow]>([
    ['tw_ms_change', { name: 'change_milestone_status', caller: buyer, index: 0, status: '' }, escrow],
    ['tw_ms_approve', { name: 'approve_milestone', caller: buyer, index: 0 }, escrow],
    ['tw_release', { name: 'release_funds', caller: buyer }, escrow],
    ['tw_release', { name: 'release_milestone_funds', caller: buyer, index: 0 }, multi],
    ['tw_dispute', { name: 'dispute_escrow', caller: buyer }, escrow],
    ['tw_dispute', { name: 'dispute_milestone', caller: buyer, index: 0 }, multi],
    ['tw_disp_resolve', { name: 'resolve_dispute', caller: buyer, distributions: [] }, escrow],
    ['tw_disp_resolve', { name: 'resolve_milestone_dispute', caller: buyer, index: 0, distributions: [] }, multi],
    ['tw_withdraw', { name: 'withdraw_remaining_funds', caller: buyer, distributions: [] }, multi],
  ])('contain %s of $name with the struct', (topic, call, after) => {
    const expected = { contractId, topics: base64([scv.symbol(topic)]), data: struct(after) };
    expect(eventsOf(call, { after, transfers: [] })).toEqual([expected]);
  });

  it('contain none of the contract for a withdrawal from a single-release contract', () => {
    const withdraw: EscrowCall = { name: 'withdraw_remaining_funds', caller: buyer, distributions: [] };
    expect(eventsOf(withdraw, { after: escrow, transfers: [] })).toEqual([]);
  });
});

describe('the return value', () => {
  it('of a deployment is the address and the struct, of other calls nothing', () => {
    const returned = xdr.ScVal.fromXDR(returnValueOf({ before: undefined, after: escrow }), 'base64');
    expect(base64(returned.vec() ?? [])).toEqual([scv.address(contractId).toXDR('base64'), struct(escrow)]);
    expect(scValToNative(xdr.ScVal.fromXDR(returnValueOf({ before: escrow, after: escrow }), 'base64'))).toBeNull();
  });
});
