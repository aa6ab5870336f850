import { Keypair, StrKey, TransactionBuilder } from '@stellar/stellar-sdk';
import type { ContractCall } from '../contract-calls/contract-call.js';
import type { EscrowProperties } from '../domain/escrow.js';
import { networkPassphrase } from '../options.js';
import { networkIdOf, parseEnvelope } from './envelope.js';
import { createPreparedCalls, type PreparedCalls } from './prepared-calls.js';

const networkId = networkIdOf(networkPassphrase);
const [key, other] = [Keypair.random(), Keypair.random()];
const caller = key.publicKey();
const contractId = StrKey.encodeContract(Buffer.alloc(32, 7));
const distributions = [
  { address: caller, units: 1n },
  { address: other.publicKey(), units: 2n ** 63n - 1n },
];

const properties: EscrowProperties = {
  type: 'multi-release',
  engagementId: 'ord_1',
  title: 'Één website — 你好',
  description: 'Made to measure, whatever that takes',
  roles: {
    approver: caller,
    serviceProvider: other.publicKey(),
    platformAddress: caller,
    releaseSigner: caller,
    disputeResolver: caller,
  },
  units: 30n,
  platformFeeBasisPoints: 525n,
  milestones: [{ description: 'all', units: 30n, receiver: other.publicKey() }],
  asset: 'XLM',
};

const calls: readonly ContractCall['call'][] = [
  { name: 'deploy_escrow', caller, salt: '00ff'.repeat(8), properties },
  { name: 'fund_escrow', caller, units: 2n ** 63n },
  { name: 'change_milestone_status', caller, index: 1, status: 'done', evidence: '' },
  { name: 'approve_milestone', caller, index: 0 },
  { name: 'release_funds', caller },
  { name: 'release_milestone_funds', caller, index: 49 },
  { name: 'dispute_escrow', caller },
  { name: 'dispute_milestone', caller, index: 2 },
  { name: 'resolve_dispute', caller, distributions },
  { name: 'resolve_milestone_dispute', caller, index: 3, distributions },
  { name: 'withdraw_remaining_funds', caller, distributions },
];

function prepare({ prepare: write }: PreparedCalls, call: ContractCall['call']): string {
  return write({ call: { contractId, call }, sequence: 2n ** 40n + 5n, feeMaxUnits: 10_000n, maxTime: 1_790_000_000 });
}

function signed(envelopeXdr: string, ...keys: readonly Keypair[]): string {
  const transaction = TransactionBuilder.fromXDR(envelopeXdr, networkPassphrase);
  transaction.sign(...keys);
  return transaction.toXDR();
}

describe('a prepared call', () => {
  it.each(calls)('of $name equals the transaction that the SDK decodes', (call) => {
    const prepared = createPreparedCalls(networkId);
    const envelopeXdr = signed(prepare(prepared, call), key);

    const taken = prepared.takePrepared(envelopeXdr);

    expect(taken).toBeDefined();
    expect(taken).toEqual(parseEnvelope(envelopeXdr, networkId));
  });

  it('is found once, with exactly one signature and unaltered', () => {
    const prepared = createPreparedCalls(networkId);
    const unsigned = prepare(prepared, { name: 'release_funds', caller });
    const envelopeXdr = signed(unsigned, key);
    const altered = Buffer.from(envelopeXdr, 'base64');
    altered.writeUInt8(altered.readUInt8(50) ^ 1, 50);

    expect(prepared.takePrepared('')).toBeUndefined();
    expect(prepared.takePrepared(unsigned)).toBeUndefined();
    expect(prepared.takePrepared(signed(unsigned, key, other))).toBeUndefined();
    expect(prepared.takePrepared(altered.toString('base64'))).toBeUndefined();
    expect(prepared.takePrepared(envelopeXdr)).toBeDefined();
    expect(prepared.takePrepared(envelopeXdr)).toBeUndefined();
  });
});
