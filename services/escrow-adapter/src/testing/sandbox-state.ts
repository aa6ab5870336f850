import type { RunningAdapter } from './running-adapter.js';

export type ContractOnSandbox = {
  readonly contractId: string;
  readonly engagementId: string;
  readonly type: string;
  readonly amount: number;
  readonly balance: number;
  readonly flags: { readonly disputed: boolean; readonly released: boolean; readonly resolved: boolean };
};

type State = {
  readonly accounts: readonly { readonly address: string; readonly balances: Readonly<Record<string, string>> }[];
  readonly contracts: readonly (Omit<ContractOnSandbox, 'amount' | 'balance'> & Record<'amount' | 'balance', string>)[];
};

async function stateOf({ sandbox }: RunningAdapter): Promise<State> {
  return (await (await fetch(`${sandbox.controlUrl}/state`)).json()) as State;
}

/** Every contract that was deployed for an order. */
export async function contractsOf(adapter: RunningAdapter, orderId: string): Promise<readonly ContractOnSandbox[]> {
  const { contracts } = await stateOf(adapter);
  return contracts
    .filter(({ engagementId }) => engagementId === orderId)
    .map((contract) => ({ ...contract, amount: Number(contract.amount), balance: Number(contract.balance) }));
}

export async function balanceOf(adapter: RunningAdapter, address: string, asset = 'USDC'): Promise<number> {
  const account = (await stateOf(adapter)).accounts.find((candidate) => candidate.address === address);
  return Number(account?.balances[asset]);
}
