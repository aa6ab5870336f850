import { z } from 'zod';
import { routesOwnedBy, type SandboxFaults } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { requireSandbox, type SandboxControl } from '@holdfast/http/sandbox-control';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type UserId } from '@holdfast/kernel/ids';

const { dropSandboxCoins, listSandboxFaults, addSandboxFault, clearSandboxFaults, ...otherRoutes } =
  routesOwnedBy('escrow-adapter');

/** Bound in `operator-routes.ts` and the files that it names. */
export { otherRoutes };

export type SandboxRoutesDeps = {
  /** Undefined with real systems, and in production. */
  readonly sandbox: SandboxControl | undefined;
  /** Where the wallet of a user of the caller's marketplace receives. USER_NOT_FOUND for any other user. */
  readonly addressOf: (userId: UserId, ctx: Context) => Promise<string>;
};

/** What a developer does to the simulated escrow provider and network. See ADR 0111. */
export function sandboxRoutes({ sandbox, addressOf }: SandboxRoutesDeps): readonly BoundRoute[] {
  return bindRoutes(
    { dropSandboxCoins, listSandboxFaults, addSandboxFault, clearSandboxFaults },
    {
      dropSandboxCoins: async ({ body: { userId, asset, amount } }, ctx) => {
        const control = requireSandbox(sandbox);
        if (!isId(userId, 'usr')) throw new AppError('USER_NOT_FOUND', { userId });
        const address = await addressOf(userId, ctx);
        await control.call('POST', '/faucet', z.unknown(), { address, asset, amount, ...referenceOf(ctx) });
        return { userId, address, asset, amount };
      },
      listSandboxFaults: () => faultsOf(requireSandbox(sandbox)),
      addSandboxFault: async ({ body }, ctx) => {
        const control = requireSandbox(sandbox);
        await control.call('POST', '/faults', z.unknown(), { ...body, ...referenceOf(ctx) });
        return faultsOf(control);
      },
      clearSandboxFaults: async () => {
        const control = requireSandbox(sandbox);
        await control.call('DELETE', '/faults', z.unknown());
        return faultsOf(control);
      },
    },
  );
}

/** The sandbox recognises a repeated request by it, also one whose first response was lost. */
function referenceOf({ operationId }: Context): { readonly reference?: string } {
  return operationId === undefined ? {} : { reference: operationId };
}

const listed = z.array(
  z.object({
    id: z.string(),
    target: z.string(),
    operation: z.string().nullable().default(null),
    kind: z.string(),
    times: z.int().nullable().default(null),
    strikes: z.int(),
  }),
);

async function faultsOf(control: SandboxControl): Promise<SandboxFaults> {
  return { faults: await control.call('GET', '/faults', listed) };
}
