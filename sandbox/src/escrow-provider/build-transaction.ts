import { Account, TransactionBuilder } from '@stellar/stellar-sdk';
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
  const invocation = encodeCall(network.contractVersion, given);
  const effect = network.simulate(invocation);
  const { footprint, resourceFeeUnits, subInvocations } = callResources(network.genesis, network.view(), invocation, effect);
  const bidUnits = isDeployment(given.call) ? deploymentBidUnits : resourceFeeUnits + minimumBidUnits;
  const maxTime = Math.floor(network.clock.epochMs() / 1_000) + validSeconds;
  return new TransactionBuilder(new Account(caller, account.sequence.toString()), {
    // The builder adds the fee of the resources.
    fee: bidUnits.toString(),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime },
    sorobanData: resourceData(footprint, resourceFeeUnits),
  })
    .addOperation(authorizedOperation(invocation, subInvocations))
    .build()
    .toXDR();
}
