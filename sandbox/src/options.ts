import type { Clock, Log } from '@holdfast/kernel/context';

/** The receiver of the webhooks. Without its secret a provider's webhooks are sent unsigned. */
export type WebhookTarget = {
  /** The gateway's base URL; the paths below /webhooks are added. */
  readonly gatewayUrl: string;
  /** Starts with `esc_whsec_`. */
  readonly escrowSecret?: string;
  /** `whsec_` and base64. Of several secrets, separated by spaces, the first one signs. */
  readonly paymentSecret?: string;
};

export type SandboxOptions = {
  readonly log: Log;
  readonly clock?: Clock;
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Without a folder the data are in memory only. */
  readonly dataFolder?: string;
  /** Sandboxes with the same seed have the same issuer, faucet and fees accounts. */
  readonly seed?: string;
  readonly escrowApiKey?: string;
  readonly paymentUser?: string;
  readonly paymentPassword?: string;
  /** Without it no webhooks are sent. */
  readonly webhooks?: WebhookTarget;
  /** Payins are confirmed and payouts completed automatically. */
  readonly isAutomatic?: boolean;
};

/** A running sandbox with the addresses and credentials that its clients need. */
export type Sandbox = {
  readonly url: string;
  readonly port: number;
  /** For `new Horizon.Server(horizonUrl, { allowHttp: true })`. */
  readonly horizonUrl: string;
  readonly escrowProviderUrl: string;
  readonly paymentProviderUrl: string;
  readonly controlUrl: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  /** Account that receives the escrow provider's fees. */
  readonly providerFeesAddress: string;
  readonly faucetAddress: string;
  /** The contract whose function `deploy_escrow` deploys escrow contracts. */
  readonly deployerContractId: string;
  readonly escrowApiKey: string;
  readonly paymentUser: string;
  readonly paymentPassword: string;
  readonly close: () => Promise<void>;
};

export const sandboxPortDefault = 8090;
export const networkPassphrase = 'Holdfast Sandbox Network ; 2026';
