import * as contract from '@holdfast/contracts/http';
import { handle, handleCreate, handleList, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import { createApiKey } from '../use-cases/create-api-key.js';
import { createMarketplace } from '../use-cases/create-marketplace.js';
import { createUser } from '../use-cases/create-user.js';
import { describeCaller } from '../use-cases/describe-caller.js';
import { findMarketplace } from '../use-cases/find-marketplace.js';
import { findUser } from '../use-cases/find-user.js';
import { getUser } from '../use-cases/get-user.js';
import { issueToken } from '../use-cases/issue-token.js';
import { listApiKeys } from '../use-cases/list-api-keys.js';
import { listMarketplaces } from '../use-cases/list-marketplaces.js';
import { listUsers } from '../use-cases/list-users.js';
import { recordRefusedCredentials } from '../use-cases/record-refused-credentials.js';
import type { Deps } from '../use-cases/ports.js';
import { revokeApiKey } from '../use-cases/revoke-api-key.js';
import { rotateApiKey } from '../use-cases/rotate-api-key.js';
import { updateUser } from '../use-cases/update-user.js';
import { verifyCredential } from '../use-cases/verify-credential.js';
import { viewOfKey, viewOfNewKey, viewOfRotatedKey, viewOfToken } from './api-key-view.js';
import { viewOfUser } from './user-view.js';

/** Declared route → use case. */
export function routesOf(deps: Deps): readonly BoundRoute[] {
  return [...marketplaceRoutes(deps), ...authRoutes(deps), ...userRoutes(deps), ...internalRoutes(deps)];
}

function marketplaceRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handle(contract.createMarketplace, ({ body }, ctx) => createMarketplace(deps, body, ctx)),
    handleList(contract.listMarketplaces, ({ query }, ctx) => listMarketplaces(deps, query, ctx)),
  ];
}

function authRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handle(contract.createApiKey, async ({ body }, ctx) => viewOfNewKey(await createApiKey(deps, body, ctx))),
    handleList(contract.listApiKeys, async ({ query }, ctx) => mapPage(await listApiKeys(deps, query, ctx), viewOfKey)),
    handle(contract.revokeApiKey, async ({ params }, ctx) => viewOfKey(await revokeApiKey(deps, params, ctx))),
    handle(contract.rotateApiKey, async ({ params, body }, ctx) =>
      viewOfRotatedKey(await rotateApiKey(deps, { ...params, ...body }, ctx)),
    ),
    handle(contract.createAccessToken, async ({ params, body }, ctx) =>
      viewOfToken(await issueToken(deps, { ...params, ...body }, ctx)),
    ),
    handle(contract.getAuthContext, async (_, ctx) => {
      const described = await describeCaller(deps, ctx);
      return { ...described, scopes: [...described.scopes] };
    }),
  ];
}

function userRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handleCreate(contract.createUser, async ({ body }, ctx) => {
      const created = await createUser(deps, body, ctx);
      return { isNew: created.isNew, data: viewOfUser(created) };
    }),
    handleList(contract.listUsers, async ({ query }, ctx) => mapPage(await listUsers(deps, query, ctx), viewOfUser)),
    handle(contract.getUser, async ({ params }, ctx) => viewOfUser(await getUser(deps, params, ctx))),
    handle(contract.updateUser, async ({ params, body }, ctx) => viewOfUser(await updateUser(deps, { ...params, ...body }, ctx))),
  ];
}

function internalRoutes(deps: Deps): readonly BoundRoute[] {
  return [
    handle(contract.verifyCredential, async ({ body }, ctx) => {
      const result = await verifyCredential(deps, body, ctx);
      return 'verified' in result ? { verified: { ...result.verified, scopes: [...result.verified.scopes] } } : result;
    }),
    handle(contract.reportRefusedCredentials, ({ body }, ctx) => recordRefusedCredentials(deps, body, ctx)),
    handle(contract.findMarketplace, ({ params }) => findMarketplace(deps, params.id)),
    handle(contract.findUser, async ({ params }, ctx) => {
      const { id, marketplaceId, type, status, version } = await findUser(deps, params, ctx);
      return { id, marketplaceId, type, status, version };
    }),
  ];
}
