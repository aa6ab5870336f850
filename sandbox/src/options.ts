import type { Clock, Log } from '@holdfast/kernel/context';
import type { ContractVersion } from './contract-calls/contract-versions.js';
import type { EscrowType } from './domain/escrow.js';

/** The receiver of the webhooks. Without its secret a provider's webhooks are sent unsigned. */
export type WebhookTarget = {
  /** The gateway's base URL; the paths below /webhooks are added. */
  readonly gatewayUrl: string;
  /** Starts with `esc_whsec_`. */
  readonly escrowSecret?: string | undefined;
  /** `whsec_` and base64. Of several secrets, separated by spaces, the first one signs. */
  readonly paymentSecret?: string | undefined;
};

export type SandboxOptions = {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  readonly host?: string | undefined;
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
  /** The sandbox's address for browsers; by default the one it listens on. */
  readonly publicUrl?: string | undefined;
  /** Without a folder the data are in memory only. */
  readonly dataFolder?: string | undefined;
  /** Sandboxes with the same seed have the same issuer, faucet and fees accounts. */
  readonly seed?: string | undefined;
  /** The version of the escrow contracts, `v1` by default. */
  readonly contractVersion?: ContractVersion | undefined;
  readonly escrowApiKey?: string | undefined;
  readonly paymentUser?: string | undefined;
  readonly paymentPassword?: string | undefined;
  /** Without it no webhooks are sent. */
  readonly webhooks?: WebhookTarget | undefined;
  /** Ledgers close on this timer. 0, the default, closes one with each transaction. */
  readonly ledgerMs?: number | undefined;
  /** The escrow provider refuses more calls with 429. Without it there is no limit. */
  readonly providerCallsPerMinute?: number | undefined;
  /** The escrow provider's index knows a change after a random time up to this one. 0, the default, means at once. */
  readonly indexLagMs?: number | undefined;
  /** The payment provider's fee for each payin and payout, half a per cent by default. */
  readonly paymentFeeBasisPoints?: number | undefined;
  /** Payins are confirmed and payouts completed automatically. */
  readonly isAutomatic?: boolean | undefined;
};

/** A running sandbox with the addresses and credentials that its clients need. */
export type Sandbox = {
  readonly url: string;
  readonly port: number;
  /** For `new Horizon.Server(horizonUrl, { allowHttp: true })`. */
  readonly horizonUrl: string;
  /** For `new rpc.Server(rpcUrl, { allowHttp: true })`. */
  readonly rpcUrl: string;
  readonly escrowProviderUrl: string;
  readonly paymentProviderUrl: string;
  readonly controlUrl: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  /** Account that receives the escrow provider's fees. */
  readonly providerFeesAddress: string;
  readonly faucetAddress: string;
  readonly contractVersion: ContractVersion;
  /** The contracts that deploy escrow contracts, and the hash of the code that both have, in hex. */
  readonly contracts: Readonly<Record<EscrowType, { readonly factory: string; readonly wasmHash: string }>>;
  readonly escrowApiKey: string;
  readonly paymentUser: string;
  readonly paymentPassword: string;
  readonly close: () => Promise<void>;
};

export const sandboxPortDefault = 8090;
export const paymentFeeBasisPointsDefault = 50;
