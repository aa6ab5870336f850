import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';

/** What goes wrong at the outside systems: which step, and how. */
export type Fault = {
  readonly target: 'escrow-provider' | 'ledger-network' | 'payment-provider';
  readonly operation: string;
  readonly kind: string;
  readonly times?: number;
  readonly probability?: number;
  readonly latencyMs?: number;
};

/** Without an operation it strikes every one of its target. */
export type FaultToArm = Omit<Fault, 'operation'> & Partial<Pick<Fault, 'operation'>>;

const balances = z.record(z.string(), z.string());
const payment = z.object({ id: z.string(), code: z.string().optional(), status: z.string(), amount: z.number() });
const state = z.object({
  network: z.object({ usdcIssuer: z.string(), faucetAddress: z.string(), providerFeesAddress: z.string(), feePool: z.string() }),
  accounts: z.array(z.object({ address: z.string(), balances })),
  contracts: z.array(z.object({ contractId: z.string(), engagementId: z.string(), balance: z.string() })),
  payins: z.array(payment),
  payouts: z.array(payment),
  pendingWebhooks: z.number(),
});
const faults = z.array(z.looseObject({ strikes: z.number() }));
export type SandboxState = z.output<typeof state>;

export type SandboxControl = {
  readonly url: string;
  readonly arm: (fault: FaultToArm) => Promise<void>;
  readonly clear: () => Promise<void>;
  /** Resolves once every fault that is armed has struck. */
  readonly whenStruck: () => Promise<void>;
  readonly state: () => Promise<SandboxState>;
  /** Does what the payer or the provider would do: `/payins/{id}/confirm`, `/payouts/{id}/complete` and so on. */
  readonly control: (path: string) => Promise<void>;
  readonly give: (address: string, asset: 'XLM' | 'USDC', amount: string) => Promise<void>;
  /** A stranger leaves USDC that only this account can claim. */
  readonly leaveToClaim: (address: string, amount: string) => Promise<void>;
};

export function sandboxControl(sandboxUrl: string): SandboxControl {
  const request = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${sandboxUrl}/_sandbox${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the sandbox refused ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    url: sandboxUrl,
    arm: async (fault) => {
      await request('POST', '/faults', fault);
    },
    clear: async () => {
      await request('DELETE', '/faults');
    },
    whenStruck: () =>
      eventually(async () => {
        const waiting = faults.parse(await request('GET', '/faults')).filter(({ strikes }) => strikes === 0);
        if (waiting.length > 0) throw new Error(`these faults have not struck yet: ${JSON.stringify(waiting)}`);
      }),
    state: async () => state.parse(await request('GET', '/state')),
    control: async (path) => {
      await request('POST', path, {});
    },
    give: async (address, asset, amount) => {
      await request('POST', '/faucet', { address, asset, amount });
    },
    leaveToClaim: async (address, amount) => {
      await request('POST', '/operations', { type: 'create_claimable_balance', address, asset: 'USDC', amount });
    },
  };
}
