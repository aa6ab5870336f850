import { routesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import { advanceTestClock } from '../use-cases/advance-test-clock.js';
import { createApiKey } from '../use-cases/create-api-key.js';
import { createMarketplace } from '../use-cases/create-marketplace.js';
import { createUser } from '../use-cases/create-user.js';
import { describeCaller } from '../use-cases/describe-caller.js';
import { findMarketplace } from '../use-cases/find-marketplace.js';
import { findUser } from '../use-cases/find-user.js';
import { getTestClock } from '../use-cases/get-test-clock.js';
import { getUser } from '../use-cases/get-user.js';
import { issueToken } from '../use-cases/issue-token.js';
import { listApiKeys } from '../use-cases/list-api-keys.js';
import { listMarketplaces } from '../use-cases/list-marketplaces.js';
import { listUsers } from '../use-cases/list-users.js';
import { logIn } from '../use-cases/log-in.js';
import { recordRefusedCredentials } from '../use-cases/record-refused-credentials.js';
import type { Deps } from '../use-cases/ports.js';
import { registerLogin } from '../use-cases/register-login.js';
import { requestEmergencyStop } from '../use-cases/request-emergency-stop.js';
import { revokeApiKey } from '../use-cases/revoke-api-key.js';
import { rotateApiKey } from '../use-cases/rotate-api-key.js';
import { setEmergencyStop } from '../use-cases/set-emergency-stop.js';
import { updateMarketplace } from '../use-cases/update-marketplace.js';
import { updateUser } from '../use-cases/update-user.js';
import { verifyCredential } from '../use-cases/verify-credential.js';
import { viewOfLogin } from './login-view.js';
import { viewOfKey, viewOfNewKey, viewOfRotatedKey, viewOfToken } from './api-key-view.js';
import { viewOfStop } from './emergency-stop-view.js';
import { viewOfMarketplace } from './marketplace-view.js';
import { viewOfUser } from './user-view.js';

/** Settings that the view of the emergency stop shows. */
type RouteSettings = { readonly isStoppedBySetting: boolean };

/** Declared route → use case. */
export function routesOf(deps: Deps, { isStoppedBySetting }: RouteSettings): readonly BoundRoute[] {
  return bindRoutes(routesOwnedBy('identity'), {
    createMarketplace: async ({ body }, ctx) => viewOfMarketplace(await createMarketplace(deps, body, ctx)),
    listMarketplaces: async ({ query }, ctx) => mapPage(await listMarketplaces(deps, query, ctx), viewOfMarketplace),
    updateMarketplace: async ({ params, body }, ctx) =>
      viewOfMarketplace(await updateMarketplace(deps, { ...body, ...params }, ctx)),
    getTestClock: (_, ctx) => getTestClock(deps, ctx),
    advanceTestClock: ({ body }, ctx) => advanceTestClock(deps, body, ctx),
    createApiKey: async ({ body }, ctx) => viewOfNewKey(await createApiKey(deps, body, ctx)),
    listApiKeys: async ({ query }, ctx) => mapPage(await listApiKeys(deps, query, ctx), viewOfKey),
    revokeApiKey: async ({ params }, ctx) => viewOfKey(await revokeApiKey(deps, params, ctx)),
    rotateApiKey: async ({ params, body }, ctx) => viewOfRotatedKey(await rotateApiKey(deps, { ...params, ...body }, ctx)),
    createAccessToken: async ({ params, body }, ctx) => viewOfToken(await issueToken(deps, { ...params, ...body }, ctx)),
    getAuthContext: async (_, ctx) => {
      const described = await describeCaller(deps, ctx);
      return { ...described, scopes: [...described.scopes] };
    },
    createUser: async ({ body }, ctx) => {
      const created = await createUser(deps, body, ctx);
      return { isNew: created.isNew, data: viewOfUser(created) };
    },
    listUsers: async ({ query }, ctx) => mapPage(await listUsers(deps, query, ctx), viewOfUser),
    getUser: async ({ params }, ctx) => viewOfUser(await getUser(deps, params, ctx)),
    updateUser: async ({ params, body }, ctx) => viewOfUser(await updateUser(deps, { ...params, ...body }, ctx)),
    verifyCredential: async ({ body }, ctx) => {
      const result = await verifyCredential(deps, body, ctx);
      return 'verified' in result ? { verified: { ...result.verified, scopes: [...result.verified.scopes] } } : result;
    },
    registerAccount: async ({ body }, ctx) => {
      const { login, token } = await registerLogin(deps, body, ctx);
      return { ...viewOfLogin(login), token };
    },
    logIn: async ({ body }, ctx) => {
      const { login, token } = await logIn(deps, body, ctx);
      return { token, user: viewOfLogin(login) };
    },
    reportRefusedCredentials: ({ body }, ctx) => recordRefusedCredentials(deps, body, ctx),
    getEmergencyStop: async () => viewOfStop(await deps.emergencyStop.find(), isStoppedBySetting),
    setEmergencyStop: async ({ body }, ctx) => viewOfStop(await setEmergencyStop(deps, body, ctx), isStoppedBySetting),
    stopPlatform: async ({ body }, ctx) => viewOfStop(await requestEmergencyStop(deps, body, ctx), isStoppedBySetting),
    findMarketplace: async ({ params }) => viewOfMarketplace(await findMarketplace(deps, params.id)),
    findUser: async ({ params }, ctx) => {
      const { id, marketplaceId, type, status, email, version } = await findUser(deps, params, ctx);
      return { id, marketplaceId, type, status, email, version };
    },
  });
}
