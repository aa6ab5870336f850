import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../testing/running-wallets.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start();
}, serverStartTimeoutMs);
afterAll(() => testbed.end());

const key = { type: 'api_key', id: 'key_1', scopes: ['write'] } as const;
const by = (operationId: string) => ({ ...key, operationId });

describe('POST /sandbox/faucet', () => {
  it('200 pays once for an operation id, whose first response may be lost', async () => {
    const userId = testbed.newUserId();
    const drop = (operationId: string) => wallets.post('/sandbox/faucet', { userId, amount: '7.50' }, by(operationId));
    const [first, again] = [await drop('op_1'), await drop('op_1')];
    const heldUnits = async () => (await testbed.network.account(String(first.data.address)))?.balances.USDC;
    expect([first.status, again.data, await heldUnits()]).toEqual([200, first.data, 75_000_000n]);
    expect([(await drop('op_2')).status, await heldUnits()]).toEqual([200, 150_000_000n]);
  });
});

describe('the faults of the sandbox', () => {
  it('200 are added once for an operation id, and deleted', async () => {
    const fault = { target: 'escrow-provider', operation: 'deploy', kind: 'error-before-effect' };
    const add = async (operationId: string) => (await wallets.post('/sandbox/faults', fault, by(operationId))).data.faults;
    expect([await add('op_3'), await add('op_3'), await add('op_4')].map(({ length }) => length)).toEqual([1, 1, 2]);
    expect((await wallets.delete('/sandbox/faults', key)).data).toEqual({ faults: [] });
  });
});
