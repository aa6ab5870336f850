import { z } from 'zod';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { requireSandbox, type SandboxControl } from '@holdfast/http/sandbox-control';
import { AppError } from '@holdfast/kernel/errors';
import type { Context } from '@holdfast/kernel/context';
import type { TopupId, WithdrawalId } from '@holdfast/kernel/ids';
import { getTopup } from '../use-cases/get-topup.js';
import { getWithdrawal } from '../use-cases/get-withdrawal.js';
import type { Deps } from '../use-cases/ports.js';
import { refreshTopup } from '../use-cases/refresh-topup.js';
import { refreshWithdrawal } from '../use-cases/refresh-withdrawal.js';
import { otherRoutes } from './operator-routes.js';
import { viewOfTopup } from './topup-view.js';
import { viewOfWithdrawal } from './withdrawal-view.js';

const { confirmSandboxTopup, failSandboxTopup, cancelSandboxTopup, ...ofPayouts } = otherRoutes;
const { completeSandboxWithdrawal, failSandboxWithdrawal, holdSandboxWithdrawal, ...andOthers } = ofPayouts;
const { resumeSandboxWithdrawal, ...paymentRoutes } = andOthers;

/** Bound in `routes.ts`. */
export { paymentRoutes };

export type SandboxRoutesDeps = {
  readonly deps: Deps;
  /** Undefined with a real provider, and in production. */
  readonly sandbox: SandboxControl | undefined;
};

type OnTopup = { readonly params: { readonly id: TopupId }; readonly body: object };
type OnWithdrawal = { readonly params: { readonly id: WithdrawalId }; readonly body: object };

/**
 * What a developer does to payments at the simulated provider. The payment is found in the marketplace of the caller first, so that
 * no caller moves the payment of another marketplace. See ADR 0111.
 */
export function sandboxRoutes({ deps, sandbox }: SandboxRoutesDeps): readonly BoundRoute[] {
  const moveTopup =
    (move: string) =>
    async ({ params, body }: OnTopup, ctx: Context) => {
      const control = requireSandbox(sandbox);
      const payin = assigned((await getTopup(deps, params, ctx)).providerPayinId);
      await control.call('POST', `/payins/${payin}/${move}`, z.unknown(), body);
      return viewOfTopup(await refreshTopup(deps, params, ctx));
    };
  const moveWithdrawal =
    (move: string) =>
    async ({ params, body }: OnWithdrawal, ctx: Context) => {
      const control = requireSandbox(sandbox);
      const payout = assigned((await getWithdrawal(deps, params, ctx)).providerPayoutId);
      await control.call('POST', `/payouts/${payout}/${move}`, z.unknown(), body);
      return viewOfWithdrawal(await refreshWithdrawal(deps, params, ctx));
    };
  return [
    ...bindRoutes(
      { confirmSandboxTopup, failSandboxTopup, cancelSandboxTopup },
      {
        confirmSandboxTopup: moveTopup('confirm'),
        failSandboxTopup: moveTopup('fail'),
        cancelSandboxTopup: moveTopup('cancel'),
      },
    ),
    ...bindRoutes(
      { completeSandboxWithdrawal, failSandboxWithdrawal, holdSandboxWithdrawal, resumeSandboxWithdrawal },
      {
        completeSandboxWithdrawal: moveWithdrawal('complete'),
        failSandboxWithdrawal: moveWithdrawal('fail'),
        holdSandboxWithdrawal: moveWithdrawal('require-action'),
        resumeSandboxWithdrawal: moveWithdrawal('resume'),
      },
    ),
  ];
}

/** The id at the provider becomes a part of the path. */
function assigned(id: string | null): string {
  if (id === null) throw new AppError('INVALID_STATE', { reason: 'The payment provider does not know the payment yet.' });
  return encodeURIComponent(id);
}
