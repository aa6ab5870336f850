import { IntentPaused } from '@holdfast/intents';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { silentLog } from '@holdfast/testing/log';
import { contractVersions } from './contract-versions.js';
import type { ContractNetwork } from './expect-call.js';
import { contractNetworkOf } from '../../testing/sandbox-contracts.js';
import { createVersionCheck } from './check-versions.js';
import { createLedgerRpc } from '@holdfast/ledger-network/rpc';

const signal = new AbortController().signal;

describe.each(['v1', 'v1-mainnet'] as const)('the code of the contracts of version %s', (contractVersion) => {
  let sandbox: Sandbox;
  let rpc: ReturnType<typeof createLedgerRpc>;
  beforeAll(async () => {
    sandbox = await startSandbox({ log: silentLog, contractVersion });
    rpc = createLedgerRpc({ url: sandbox.rpcUrl, usdcIssuer: sandbox.usdcIssuer, networkPassphrase: sandbox.networkPassphrase });
  });
  afterAll(async () => {
    await rpc.close();
    await sandbox.close();
  });

  const checkOf = (change: (network: ContractNetwork) => ContractNetwork = (network) => network) =>
    createVersionCheck({ rpc, network: change(contractNetworkOf(sandbox)), log: silentLog });

  it('matches the settings', async () => {
    const check = checkOf();
    expect(check.assertChecked).toThrow(IntentPaused);
    await check.start();
    expect(check.assertChecked).not.toThrow();
  });

  it('stops the start if the settings name another version', async () => {
    const other = contractVersion === 'v1' ? 'v1-mainnet' : 'v1';
    const check = checkOf(({ versions, ...network }) => ({
      ...network,
      versions: { ...versions, 'multi-release': { ...versions['multi-release'], functions: contractVersions[`multi-${other}`] } },
    }));
    await expect(check.start()).rejects.toThrow(
      /not of the version that the settings name for multi-release: release_milestone_funds takes/,
    );
    expect(check.assertChecked).toThrow(IntentPaused);
  });

  it('stops the start if the network does not have it', async () => {
    const check = checkOf(({ versions, ...network }) => {
      const single = versions['single-release'];
      const code = { ...single.code, wasmHash: '0'.repeat(64) };
      return { ...network, versions: { ...versions, 'single-release': { ...single, code } } };
    });
    await expect(check.start()).rejects.toThrow(/the network has no code 0+/);
  });

  it('is compared later if the network is unreachable', async () => {
    await fetch(`${sandbox.controlUrl}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: 'ledger-network', operation: 'read', kind: 'error-before-effect' }),
    });
    const check = checkOf();
    await check.start();
    expect(check.assertChecked).toThrow(IntentPaused);
    await expect(check.job.run(signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await fetch(`${sandbox.controlUrl}/faults`, { method: 'DELETE' });
    await check.job.run(signal);
    expect(check.assertChecked).not.toThrow();
  });

  it('stops the start on another network', async () => {
    const elsewhere = createLedgerRpc({
      url: sandbox.rpcUrl,
      usdcIssuer: sandbox.usdcIssuer,
      networkPassphrase: 'another network',
    });
    const check = createVersionCheck({ rpc: elsewhere, network: contractNetworkOf(sandbox), log: silentLog });
    await expect(check.start()).rejects.toThrow(/belongs to another network/);
    await elsewhere.close();
  });
});
