import { Keypair, Networks } from '@stellar/stellar-sdk';
import { createLedgerRpc } from './ledger-rpc.js';
import { startScriptedNode, type Scripted, type ScriptedNode } from '../testing/index.js';

const networkPassphrase = Networks.TESTNET;
const getNetwork: Scripted = () => ({ result: { passphrase: networkPassphrase, protocolVersion: '23' } });

let node: ScriptedNode | undefined;
let close: (() => Promise<void>) | undefined;

async function rpcWith(methods: Readonly<Record<string, Scripted>>) {
  node = await startScriptedNode({ getNetwork, ...methods });
  const rpc = createLedgerRpc({ url: node.url, networkPassphrase, usdcIssuer: Keypair.random().publicKey() });
  close = rpc.close;
  return rpc;
}

afterEach(async () => {
  await close?.();
  await node?.close();
});

describe('the fees of the network', () => {
  const fees = (p90: string) => ({ ...{ max: '900', min: '100', mode: '100', p50: '100', p99: '800' }, p90 });

  it('are the ninetieth percentiles of both kinds', async () => {
    const getFeeStats: Scripted = () => ({
      result: { sorobanInclusionFee: fees('210'), inclusionFee: fees('0'), latestLedger: 600 },
    });
    const rpc = await rpcWith({ getFeeStats });
    expect(await rpc.inclusionFees()).toEqual({ ofCalls: 210n, ofOthers: 0n });
  });

  it.each([
    ['does not know the method', () => ({ error: { code: -32601, message: 'method not found' } })],
    ['leaves them out', () => ({ result: { latestLedger: 600 } })],
    ['names a fee below zero', () => ({ result: { sorobanInclusionFee: fees('-1'), inclusionFee: fees('100') } })],
  ] satisfies readonly (readonly [string, Scripted])[])('are unavailable where the node %s', async (_, getFeeStats) => {
    const rpc = await rpcWith({ getFeeStats });
    await expect(rpc.inclusionFees()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
