import type { PayinConfirmation } from './hold-ports.js';

export type AmountLimits = { readonly minUnits: bigint; readonly maxUnits: bigint };

export type PaymentSettings = {
  readonly topupLimits: AmountLimits;
  readonly withdrawalLimits: AmountLimits;
  /** Withdrawals that one user may create in a minute; zero means no limit. */
  readonly withdrawalsPerMinuteMax: number;
  /** Age at which a run that could be aborted counts as one that did not end. */
  readonly unabortedAfterMs: number;
  /** How long a request waits for a saga run or an intent. */
  readonly timeoutMs: number;
  /** The address of the gateway for the browsers of users; the payment provider redirects there. */
  readonly publicUrl: string;
  /** Top-ups that one user may create in a minute; 0 means no limit. */
  readonly topupsPerMinuteMax: number;
  /** Where browsers are redirected after a top-up without URLs of its own. */
  readonly topupReturnUrl: string | undefined;
  readonly topupCancelUrl: string | undefined;
  /** Hosts that the URLs of top-ups may name; undefined means any host. */
  readonly redirectHosts: readonly string[] | undefined;
  /** How pay-ins are confirmed that only an event has reported. Undefined: they are not. */
  readonly payinConfirmation: PayinConfirmation | undefined;
  /** Above this amount a second credential must confirm how a case is resolved. Undefined: none. */
  readonly caseApprovalUnits: bigint | undefined;
  /** What is paid out through the payment provider within an hour at most. Undefined: no cap. */
  readonly payoutUnitsMax: bigint | undefined;
  /** Payments above it need two API keys to be resolved by operators. Undefined: none does. */
  readonly resolveApprovalAmount: string | undefined;
  /** After this time an account that differs from the ledger network is read again. */
  readonly recheckAfterMs: number;
};
