import type { ContractCall } from '../contract-calls/contract-call.js';
import { contractRefusal } from '../domain/operation-failure.js';
import type { Network } from '../ledger-network/network.js';
import { contractCallFeeUnits } from '../ledger-network/validity.js';

/** Validity period of a built transaction. */
const validSeconds = 30;

/** Simulates the call on the current state, and returns it as an unsigned transaction of its caller. */
export function buildTransaction(network: Network, call: ContractCall): string {
  const account = network.store.find('accounts', call.call.caller);
  if (account === undefined) throw contractRefusal(`The account ${call.call.caller} does not exist`);
  network.simulate(call);
  const maxTime = Math.floor(network.clock.epochMs() / 1_000) + validSeconds;
  return network.prepare({ call, sequence: account.sequence + 1n, feeMaxUnits: contractCallFeeUnits, maxTime });
}
