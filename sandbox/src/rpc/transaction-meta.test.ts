import { Address, Asset, rpc, scValToNative, type xdr } from '@stellar/stellar-sdk';
import { approve, complete, createParties, fundedEscrow, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  parties = await createParties(sandbox);
});
afterAll(() => sandbox.close());

/** Builds at the provider, submits to the network and returns what the network says. */
async function land(path: string, body: unknown, key = parties.buyer) {
  const { hash } = await server.sendTransaction(signed(await sandbox.escrow(path, body), key, sandbox.networkPassphrase));
  return server.getTransaction(hash);
}

async function landed(...given: Parameters<typeof land>): Promise<rpc.Api.GetSuccessfulTransactionResponse> {
  const found = await land(...given);
  if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`the transaction is ${found.status}`);
  return found;
}

/** The contract, topics and data of each event, as native values. */
function eventsIn({ resultMetaXdr, events }: rpc.Api.GetSuccessfulTransactionResponse) {
  const inMeta = resultMetaXdr.v4().operations()[0]?.events() ?? [];
  const hex = (list: readonly xdr.ContractEvent[] = []): readonly string[] => list.map((event) => event.toXDR('hex'));
  expect(hex(events.contractEventsXdr[0])).toEqual(hex(inMeta));
  return inMeta.map((event) => {
    const body = event.body().v0();
    const id = event.contractId();
    return {
      contract: id === null ? '' : Address.contract(id as unknown as Buffer).toString(),
      topics: body.topics().map((topic) => scValToNative(topic)),
      data: scValToNative(body.data()),
    };
  });
}

describe('what landed, through the SDK', () => {
  it('a deployment returns the address and the struct of the contract, and has the event tw_init', async () => {
    const found = await landed('/deployer/single-release', singleRelease(sandbox, parties));
    const returned = found.returnValue === undefined ? [] : scValToNative(found.returnValue);
    const { contracts } = (await sandbox.control('GET', '/state')).body;
    expect(returned).toMatchObject([contracts.at(-1).contractId, { engagement_id: 'ord_1', amount: 1_000_000_000n }]);
    expect(eventsIn(found)).toMatchObject([{ contract: contracts.at(-1).contractId, topics: ['tw_init'] }]);
  });

  it('a release has the transfers of the token and the event tw_release', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await complete(sandbox, parties, contractId);
    await approve(sandbox, parties, contractId);

    const found = await landed('/escrow/single-release/release-funds', {
      contractId,
      releaseSigner: parties.buyer.publicKey(),
    });

    const token = new Asset('USDC', sandbox.usdcIssuer).contractId(sandbox.networkPassphrase);
    const transfer = (to: string, data: bigint) => ({
      contract: token,
      topics: ['transfer', contractId, to, `USDC:${sandbox.usdcIssuer}`],
      data,
    });
    const events = eventsIn(found);
    expect(events.filter(({ contract }) => contract === token)).toEqual([
      transfer(sandbox.providerFeesAddress, 3_000_000n),
      transfer(parties.platform.publicKey(), 50_000_000n),
      transfer(parties.seller.publicKey(), 947_000_000n),
    ]);
    expect(events.filter(({ contract }) => contract === contractId)).toMatchObject([
      { topics: ['tw_release'], data: { flags: { released: true } } },
    ]);
  });

  it('a call that the contract refuses lands as failed, without events', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const body = { contractId, signer: parties.buyer.publicKey(), amount: 1 };
    const built = await sandbox.escrow('/escrow/single-release/fund-escrow', body);
    // The struct that the funding expects has changed when it lands.
    await complete(sandbox, parties, contractId);

    const { hash } = await server.sendTransaction(signed(built, parties.buyer, sandbox.networkPassphrase));

    const found = await server.getTransaction(hash);
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) throw new Error(`the transaction is ${found.status}`);
    expect(found.resultMetaXdr.v4().operations()).toEqual([]);
    expect(found.events.contractEventsXdr).toEqual([]);
    const [result] = found.resultXdr.result().results();
    expect(result?.tr().invokeHostFunctionResult().switch().name).toBe('invokeHostFunctionTrapped');
  });
});
