import { Address, Asset, Keypair, StrKey, scValToNative } from '@stellar/stellar-sdk';
import type { Escrow, EscrowCall } from '../domain/escrow.js';
import { base64, scv } from '../testing/scvals.js';
import { outcomeOf, returnValueOf } from './contract-events.js';
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

type Call = Parameters<typeof outcomeOf>[0];

/** The contract of each event, and its topics and data in base64. */
function shown(call: Omit<Call, 'contractId'> & { readonly contractId?: string }) {
  return outcomeOf({ contractId, ...call }).events.map((event) => {
    const body = event.body().v0();
    const address = Address.contract(event.contractId() as unknown as Buffer).toString();
    return { contractId: address, topics: base64(body.topics()), data: body.data().toXDR('base64') };
  });
}

describe('the events of a call', () => {
  it('are the transfers of the token and the event of the contract', () => {
    const balanceChanges = [{ type: 'transfer', from: buyer, to: contractId, asset: escrow.asset, units: 10n }] as const;
    const asset = scv.string(`USDC:${issuer}`);
    expect(shown({ functionName: 'fund_escrow', balanceChanges, escrow })).toEqual([
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
    const balanceChanges = [{ type: 'transfer', from: contractId, to: buyer, asset: 'XLM', units: 1n }] as const;
    const [moved] = shown({ functionName: 'release_funds', balanceChanges, escrow: { ...escrow, asset: 'XLM' } });
    expect(moved?.topics[3]).toBe(scv.string('native').toXDR('base64'));
  });

  it.each<[string, EscrowCall['name'], Escrow]>([
    ['tw_ms_change', 'change_milestone_status', escrow],
    ['tw_ms_approve', 'approve_milestone', escrow],
    ['tw_release', 'release_funds', escrow],
    ['tw_release', 'release_milestone_funds', multi],
    ['tw_dispute', 'dispute_escrow', escrow],
    ['tw_dispute', 'dispute_milestone', multi],
    ['tw_disp_resolve', 'resolve_dispute', escrow],
    ['tw_disp_resolve', 'resolve_milestone_dispute', multi],
    ['tw_withdraw', 'withdraw_remaining_funds', multi],
  ])('contain %s of %s with the struct', (topic, functionName, after) => {
    const expected = { contractId, topics: base64([scv.symbol(topic)]), data: struct(after) };
    expect(shown({ functionName, balanceChanges: [], escrow: after })).toEqual([expected]);
  });

  it('contain none of the contract for a withdrawal from a single-release contract', () => {
    expect(shown({ functionName: 'withdraw_remaining_funds', balanceChanges: [], escrow })).toEqual([]);
  });

  it('are only events of the token for a call of its contract', () => {
    const balanceChanges = [{ type: 'burn', from: buyer, asset: escrow.asset, units: 10n }] as const;
    const topics = base64([scv.symbol('burn'), scv.address(buyer), scv.string(escrow.asset)]);
    const expected = { contractId: token, topics, data: scv.i128('10').toXDR('base64') };
    expect(shown({ contractId: token, functionName: 'burn', balanceChanges })).toEqual([expected]);
  });
});

describe('the return value', () => {
  it('of a deployment is the address and the struct, of other calls nothing', () => {
    const call = { contractId: token, balanceChanges: [], escrow };
    const deployed = { ...call, functionName: 'tw_new_single_release_escrow', createdContractId: contractId };
    const expected = [scv.address(contractId).toXDR('base64'), struct(escrow)];
    for (const value of [outcomeOf(deployed).returnValue, returnValueOf(escrow)]) {
      expect(base64(value.vec() ?? [])).toEqual(expected);
    }
    const approved = { ...call, functionName: 'approve_milestone' };
    for (const value of [outcomeOf(approved).returnValue, returnValueOf(undefined)]) expect(scValToNative(value)).toBeNull();
  });
});
