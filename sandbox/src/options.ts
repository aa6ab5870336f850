import type { Clock, Log } from '@holdfast/kernel/context';

/** Where the sandbox tells of what happened. Without secrets the webhooks of that kind are sent unsigned. */
export type WebhookTarget = {
  /** The gateway's base URL; the paths below /webhooks are added. */
  readonly gatewayUrl: string;
  /** Begins with `esc_whsec_`. */
  readonly escrowSecret?: string;
  /** `whsec_` and base64; of several, separated by spaces, the first one signs. */
  readonly paymentSecret?: string;
};

export type SandboxOptions = {
  readonly log: Log;
  readonly clock?: Clock;
  readonly host?: string;
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Without a folder everything is forgotten when the process ends. */
  readonly dataFolder?: string;
  /** Two sandboxes with one seed have the same issuer, faucet and fees account. */
  readonly seed?: string;
  readonly escrowApiKey?: string;
  readonly paymentUser?: string;
  readonly paymentPassword?: string;
  /** Nothing is sent unless this is given. */
  readonly webhooks?: WebhookTarget;
  /** Payins are confirmed and payouts completed at once, without anybody's doing. */
  readonly isAutomatic?: boolean;
};

/** A running sandbox, and all that whoever talks to it must know. */
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
  /** Where the escrow provider's own cut goes. */
  readonly providerFeesAddress: string;
  readonly faucetAddress: string;
  /** The contract whose function `deploy_escrow` makes escrows. */
  readonly deployerContractId: string;
  readonly escrowApiKey: string;
  readonly paymentUser: string;
  readonly paymentPassword: string;
  readonly close: () => Promise<void>;
};

export const sandboxPortDefault = 8090;
export const networkPassphrase = 'Holdfast Sandbox Network ; 2026';
