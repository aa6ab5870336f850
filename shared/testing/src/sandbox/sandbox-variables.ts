type Contract = { readonly factory: string; readonly wasmHash: string };
type SandboxState = {
  readonly network: {
    readonly passphrase: string;
    readonly usdcIssuer: string;
    readonly providerFeesAddress: string;
    readonly contractVersion: string;
    readonly contracts: { readonly 'single-release': Contract; readonly 'multi-release': Contract };
  };
};

/** The settings with which the services find a sandbox that runs in its own process, as they would find real systems. */
export async function sandboxVariables(sandboxUrl: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${sandboxUrl}/_sandbox/state`);
  const { network } = (await response.json()) as SandboxState;
  const { 'single-release': single, 'multi-release': multi } = network.contracts;
  return {
    ESCROW_PROVIDER_URL: `${sandboxUrl}/escrow-provider`,
    ESCROW_PROVIDER_API_KEY: 'sandbox-escrow-key',
    ESCROW_VERSION_SINGLE: `single-${network.contractVersion}`,
    ESCROW_VERSION_MULTI: `multi-${network.contractVersion}`,
    ESCROW_FACTORY_SINGLE: single.factory,
    ESCROW_FACTORY_MULTI: multi.factory,
    ESCROW_WASM_HASH_SINGLE: single.wasmHash,
    ESCROW_WASM_HASH_MULTI: multi.wasmHash,
    ESCROW_FEE_ADDRESS: network.providerFeesAddress,
    LEDGER_RPC_URL: `${sandboxUrl}/rpc`,
    LEDGER_HORIZON_URL: sandboxUrl,
    LEDGER_NETWORK_PASSPHRASE: network.passphrase,
    LEDGER_FAUCET_URL: `${sandboxUrl}/_sandbox/faucet`,
    USDC_ISSUER: network.usdcIssuer,
    PAYMENT_PROVIDER_URL: `${sandboxUrl}/payment-provider`,
    PAYMENT_PROVIDER_KEY: 'sandbox',
    PAYMENT_PROVIDER_SECRET: 'sandbox',
  };
}
