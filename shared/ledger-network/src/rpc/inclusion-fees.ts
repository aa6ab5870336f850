import { z } from 'zod';
import type { InclusionFees } from './ledger-rpc-port.js';
import type { RpcClient } from './rpc-client.js';

/**
 * A fee that was enough for nine of ten transactions of the last ledgers. A bid is a maximum: the network charges what the lowest
 * bid in the ledger would have paid, so that a high one costs no more. The highest percentiles follow single senders who overpay.
 */
const distribution = z.object({ p90: z.coerce.bigint().nonnegative() });
const feeStats = z.object({ sorobanInclusionFee: distribution, inclusionFee: distribution });

export async function readInclusionFees({ call }: RpcClient): Promise<InclusionFees> {
  const { sorobanInclusionFee, inclusionFee } = await call({ method: 'getFeeStats', result: feeStats });
  return { ofCalls: sorobanInclusionFee.p90, ofOthers: inclusionFee.p90 };
}
