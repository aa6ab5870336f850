import { rpc, type FeeBumpTransaction, type Transaction } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { feeBumpOf } from '../testing/fee-bumps.js';
import { createParties, fundedEscrow, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  parties = await createParties(sandbox, 10_000);
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

type Built = Transaction | FeeBumpTransaction;

/** Each interface that accepts signed transactions, with the response of a success and of an unknown outcome. */
const interfaces = [
  {
    name: 'send-transaction of the escrow provider',
    submit: (transaction: Built) => sandbox.send(transaction),
    success: { status: 200, body: { status: 'SUCCESS' } },
    unknown: { status: 500 },
  },
  {
    name: 'POST /transactions of Horizon',
    submit: async (transaction: Built) => {
      const body = new URLSearchParams({ tx: transaction.toXDR() });
      const response = await fetch(`${sandbox.horizonUrl}/transactions`, { method: 'POST', body });
      return { status: response.status, body: await response.json() };
    },
    success: { status: 200, body: { successful: true } },
    unknown: { status: 504 },
  },
  {
    name: 'sendTransaction of the RPC',
    submit: (transaction: Built) =>
      sandbox.request('POST', sandbox.rpcUrl, {
        jsonrpc: '2.0',
        id: 1,
        method: 'sendTransaction',
        params: { transaction: transaction.toXDR() },
      }),
    success: { status: 200, body: { result: { status: 'PENDING' } } },
    unknown: { status: 504 },
  },
] as const;

const hashOf = (transaction: Built): string => transaction.hash().toString('hex');
const arm = (kind: string, operation: string) =>
  sandbox.control('POST', '/faults', { target: 'escrow-provider', operation, kind, times: 1 });
const strikes = async (): Promise<number> => (await sandbox.control('GET', '/faults')).body[0].strikes;

async function isLanded(transaction: Built): Promise<boolean> {
  const found = await new rpc.Server(sandbox.rpcUrl, { allowHttp: true }).getTransaction(hashOf(transaction));
  return found.status === rpc.Api.GetTransactionStatus.SUCCESS;
}

/** The platform's wallet pays the fees of fee bumps. */
const shapes = [
  { shape: 'a transaction', wrapped: (transaction: Built) => transaction },
  { shape: 'a fee bump', wrapped: (transaction: Built) => feeBumpOf(sandbox, parties.platform, transaction, '60000') },
];

async function fundTransaction(): Promise<Built> {
  const contractId = await fundedEscrow(sandbox, parties);
  const body = { contractId, signer: parties.buyer.publicKey(), amount: 1 };
  const built = await sandbox.escrow('/escrow/single-release/fund-escrow', body);
  return signed(built, parties.buyer, sandbox.networkPassphrase);
}

describe.each(interfaces)('$name', ({ submit, success, unknown }) => {
  it.each(shapes)(
    'claims-success acknowledges $shape that does not land, and lands when it is sent again',
    async ({ wrapped }) => {
      const transaction = wrapped(await fundTransaction());
      await arm('claims-success', 'fund');
      expect(await submit(transaction)).toMatchObject(success);
      expect(await isLanded(transaction)).toBe(false);
      expect(await strikes()).toBe(1);

      expect(await submit(transaction)).toMatchObject(success);
      expect(await isLanded(transaction)).toBe(true);
    },
  );

  it.each(shapes)('error-after-effect of a step hides that $shape has landed', async ({ wrapped }) => {
    const transaction = wrapped(await fundTransaction());
    await arm('error-after-effect', 'fund');
    expect(await submit(transaction)).toMatchObject(unknown);
    expect(await isLanded(transaction)).toBe(true);
  });

  it('timeout-after-effect of a step holds the connection of a landed transaction', async () => {
    const transaction = await fundTransaction();
    await arm('timeout-after-effect', 'fund');
    let hasResponded = false;
    const sending = submit(transaction).then((response) => {
      hasResponded = true;
      return response;
    });
    await eventually(async () => expect(await isLanded(transaction)).toBe(true));
    await eventually(async () => expect(await strikes()).toBe(1));
    expect(hasResponded).toBe(false);
    await sandbox.control('DELETE', '/faults');
    expect(await sending).toMatchObject(success);
  });

  it('a fault of another step does not strike', async () => {
    const transaction = await fundTransaction();
    await arm('claims-success', 'release');
    expect(await submit(transaction)).toMatchObject(success);
    expect(await isLanded(transaction)).toBe(true);
    expect(await strikes()).toBe(0);
  });
});

describe('a deployment that is sent to the network', () => {
  it('has no contract id in its response, so no-contract-id does not strike', async () => {
    await arm('no-contract-id', 'deploy');
    const built = await sandbox.escrow('/deployer/single-release', singleRelease(sandbox, parties));
    const transaction = signed(built, parties.buyer, sandbox.networkPassphrase);
    await sandbox.horizon.submitTransaction(transaction);
    expect(await isLanded(transaction)).toBe(true);
    expect(await strikes()).toBe(0);
  });
});
