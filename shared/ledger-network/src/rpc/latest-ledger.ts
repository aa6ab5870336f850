import { z } from 'zod';
import { ledgerNumber } from './result-fields.js';
import type { RpcClient } from './rpc-client.js';

const health = { method: 'getHealth', result: z.object({ latestLedger: ledgerNumber }) };

export async function readLatestLedger({ call }: RpcClient): Promise<number> {
  return (await call(health)).latestLedger;
}
