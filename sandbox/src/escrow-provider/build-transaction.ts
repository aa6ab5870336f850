import { StrKey, xdr } from '@stellar/stellar-sdk';
import { encodeCall } from '../contract-calls/call-codec.js';
import { isDeployment, type ContractCall } from '../contract-calls/contract-call.js';
import { contractRefusal } from '../domain/operation-failure.js';
import { authorizedOperation, callResources, resourceData } from '../ledger-network/call-resources.js';
import type { Network } from '../ledger-network/network.js';

/** Validity period of a built transaction. */
const validSeconds = 30;

const [deploymentBidUnits, minimumBidUnits] = [1_000n, 100n];

/** Simulates the call on the current state, and returns it as an unsigned transaction of its caller. */
export function buildTransaction(network: Network, given: ContractCall): string {
  const { caller } = given.call;
  const account = network.store.find('accounts', caller);
  if (account === undefined) throw contractRefusal(`The account ${caller} does not exist`);
  const effect = network.simulate(given);
  const invocation = encodeCall(network.contractVersion, given);
  const { footprint, resourceFeeUnits, subInvocations } = callResources(network.genesis, network.view(), invocation, effect);
  const bidUnits = isDeployment(given.call) ? deploymentBidUnits : resourceFeeUnits + minimumBidUnits;
  const maxTime = Math.floor(network.clock.epochMs() / 1_000) + validSeconds;
  const transaction = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(caller)),
    fee: Number(bidUnits + resourceFeeUnits),
    seqNum: new xdr.Int64(account.sequence + 1n),
    cond: xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime: new xdr.Uint64(0), maxTime: new xdr.Uint64(maxTime) })),
    memo: xdr.Memo.memoNone(),
    operations: [authorizedOperation(invocation, subInvocations)],
    ext: new xdr.TransactionExt(1, resourceData(footprint, resourceFeeUnits)),
  });
  const envelope = new xdr.TransactionV1Envelope({ tx: transaction, signatures: [] });
  return xdr.TransactionEnvelope.envelopeTypeTx(envelope).toXDR('base64');
}
