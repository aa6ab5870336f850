import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IntentPaused } from '@holdfast/intents';
import { type BudgetCall } from '@holdfast/intents/provider-controls';
import { createEscrowProvider } from './escrow-provider.js';
import { ProviderRefused } from '@holdfast/ledger-network/values';

let server: Server;
let provider: ReturnType<typeof createEscrowProvider>;
/** The next responses, in order; the last one is repeated. */
let responses: readonly { readonly status: number; readonly body: unknown }[];
const requests: string[] = [];
const taken: BudgetCall[] = [];
let emptied = 0;
let failures = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const [next, ...rest] = responses;
    if (rest.length > 0) responses = rest;
    response.writeHead(next?.status ?? 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(next?.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  provider = createEscrowProvider({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'key',
    assets: { USDC: 'issuer', XLM: 'native' },
    budget: {
      take: (call) => {
        taken.push(call);
        return Promise.resolve();
      },
      empty: () => {
        emptied += 1;
        return Promise.resolve();
      },
    },
    onIndexerFailure: () => (failures += 1),
    pauses: { indexerRetryMs: 10 },
  });
});
beforeEach(() => {
  for (const list of [requests, taken]) list.length = 0;
  emptied = 0;
  failures = 0;
});
afterAll(async () => {
  await provider.close();
  await new Promise((resolve) => server.close(resolve));
});

const of = { priority: 1, marketplaceId: 'mkt_1', escrowId: 'esc_1' } as const;
const addresses = { buyer: 'GB', seller: 'GS', platform: 'GP', payer: 'GB' };
const contract = { contractId: 'C1', type: 'single-release', addresses } as const;
const fund = () => provider.buildStep(contract, { does: 'fund', units: 10_000_000n }, of);

describe('building a step', () => {
  it('takes one call of the order from the budget', async () => {
    responses = [{ status: 201, body: { status: 'SUCCESS', unsignedTransaction: 'AAAA' } }];
    expect(await fund()).toBe('AAAA');
    expect(taken).toEqual([{ key: 'esc_1 fund', orderId: 'esc_1', marketplaceId: 'mkt_1', priority: 1, signal: undefined }]);
  });

  it.each([400, 404, 500])('pauses if the provider does not know the contract yet (%i)', async (status) => {
    responses = [{ status, body: { message: 'Escrow not found' } }];
    await expect(fund()).rejects.toMatchObject({ name: 'IntentPaused', retryInMs: 5_000 });
  });

  it('pauses at the limit of the provider, and empties the budget', async () => {
    responses = [{ status: 429, body: { message: 'Too many requests' } }];
    await expect(fund()).rejects.toThrow(IntentPaused);
    expect(emptied).toBe(1);
  });

  it('is refused for good, or fails for now', async () => {
    responses = [{ status: 400, body: { message: 'The milestone must be completed' } }];
    await expect(fund()).rejects.toThrow(ProviderRefused);
    responses = [{ status: 502, body: {} }];
    const error = await fund().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(error).not.toBeInstanceOf(IntentPaused);
  });
});

describe('informing the provider of a deployment', () => {
  it('is tried twice', async () => {
    responses = [
      { status: 500, body: {} },
      { status: 200, body: {} },
    ];
    await provider.informOfDeployment('hash', of);
    expect(requests).toEqual(Array(2).fill('PUT /indexer/update-from-txhash'));
    expect(failures).toBe(0);
    responses = [{ status: 500, body: {} }];
    await provider.informOfDeployment('hash', of);
    expect(failures).toBe(1);
  });
});
