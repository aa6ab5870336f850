import { randomUUID } from 'node:crypto';
import { allRoutes, fullPathOf, internalRoutes, type RouteDeclaration } from '@holdfast/contracts/http';
import { serviceNames } from '@holdfast/contracts/services';
import type { Scope } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aGateway, aService, masterKey } from './testing/running-gateway.js';

type Kind = 'no credential' | 'unknown' | 'none' | Scope | 'master' | 'account';
const kinds: readonly Kind[] = ['no credential', 'unknown', 'none', 'read', 'write', 'support', 'master', 'account'];

let stop: () => Promise<void>;
type SendRequest = (
  route: Pick<RouteDeclaration, 'method' | 'path' | 'family'>,
  kind: Kind,
  requestId?: string,
) => Promise<{ status: number; code: unknown }>;
let sendRequest: SendRequest;
let sendWithoutServices: SendRequest;
/** The ids of the requests that reached a service. The gateway's own health probes are among them at any time. */
let receivedRequestIds: () => readonly unknown[];

const state = { kind: 'sandbox', health: { status: 'healthy', latencyMs: 1 } };
/** With simulated systems outside, the routes that control them exist. */
const simulated = JSON.stringify({ data: { escrowProvider: state, ledgerNetwork: state, paymentProvider: state } });

beforeAll(async () => {
  const [identity, service] = [await anIdentity(), await aService()];
  const serviceUrls = { ...Object.fromEntries(serviceNames.map((name) => [name, service.url])), identity: identity.url };
  for (const scope of ['read', 'write', 'support'] as const) identity.known.set(aKeyText(scope), aVerified(scope, [scope]));
  identity.known.set(aKeyText('none'), aVerified('none', []));
  identity.known.set(aKeyText('account'), aVerified('account', [], { type: 'account', id: 'usr_1' }));
  const { behave } = identity.state;
  identity.state.behave = (request, response) =>
    request.url?.startsWith('/api/v1/internal/') === true ? behave(request, response) : response.end('{}');
  const respond = service.state.behave;
  service.state.behave = (request, response) =>
    request.url?.endsWith('/internal/providers') === true ? response.end(simulated) : respond(request, response);
  const gateway = await aGateway({ serviceUrls, routes: allRoutes, operatorRoutes: 'on' });
  const gatewayWithoutServices = await aGateway({ serviceUrls: { identity: identity.url }, routes: allRoutes });
  const sendTo =
    ({ send }: Pick<typeof gateway, 'send'>): SendRequest =>
    async ({ method, ...route }, kind, requestId = randomUUID()) => {
      const credential = kind === 'master' ? masterKey : aKeyText(kind);
      const authorization = kind === 'no credential' ? '' : `Bearer ${credential}`;
      const headers = { authorization, 'x-request-id': requestId };
      const url = fullPathOf(route).replaceAll(/\{\w+\}/g, 'usr_1');
      const { status, body } = await send(url, { method: method.toUpperCase(), headers });
      return { status, code: body?.error?.code ?? body?.code };
    };
  [sendRequest, sendWithoutServices] = [sendTo(gateway), sendTo(gatewayWithoutServices)];
  receivedRequestIds = () => [...service.received, ...identity.received].map(({ headers }) => headers['x-request-id']);
  stop = async () => {
    await Promise.all([gateway.stop(), gatewayWithoutServices.stop()]);
    await Promise.all([identity.stop(), service.stop()]);
  };
});
afterAll(() => stop());

/** Accounts and marketplaces have credentials of their own, which are unknown to the routes of the other. */
function isUnidentified(auth: RouteDeclaration['auth'], kind: Kind): boolean {
  return kind === 'no credential' || kind === 'unknown' || (kind === 'account') !== (auth === 'account');
}

function isAllowed({ auth }: RouteDeclaration, kind: Kind): boolean {
  if (auth === 'public') return true;
  if (isUnidentified(auth, kind)) return false;
  if (kind === 'account' || kind === 'master') return true;
  return auth === 'any' || auth === kind;
}

function expectedFor(route: RouteDeclaration, kind: Kind): { readonly status: number; readonly code: unknown } {
  if (isAllowed(route, kind)) return { status: 200, code: undefined };
  if (isUnidentified(route.auth, kind)) return { status: 401, code: route.family === 'account' ? 401 : 'UNAUTHORIZED' };
  return { status: 403, code: 'INSUFFICIENT_SCOPE' };
}

/** The gateway itself parses the request of an operator, and this one says nothing. */
function isHandledHere({ service, auth }: RouteDeclaration): boolean {
  return service === 'gateway' && auth === 'master';
}

describe('every declared route', () => {
  it.each(allRoutes.flatMap((route) => kinds.map((kind) => [route.method, route.path, kind, route] as const)))(
    '%s %s accepts or refuses %s as it declares',
    async (_method, _path, kind, route) => {
      // The health report of a busy machine is 503 until the gateway's next probes have found the services.
      const isExpected = async (): Promise<void> => {
        const response = await sendRequest(route, kind);
        if (isHandledHere(route) && isAllowed(route, kind)) expect([401, 403]).not.toContain(response.status);
        else expect(response).toEqual(expectedFor(route, kind));
      };
      await eventually(isExpected);
    },
  );
});

/** A method that no route with this path has. */
function undeclaredMethodOf({ path }: RouteDeclaration): RouteDeclaration['method'] {
  const declared = new Set(allRoutes.filter((route) => route.path === path).map(({ method }) => method));
  const methods = ['post', 'patch', 'delete'] as const;
  return methods.find((method) => !declared.has(method)) ?? 'get';
}

describe('a declared route whose service is missing', () => {
  const absent = allRoutes
    .filter(({ service }) => service !== 'gateway' && service !== 'identity')
    .filter(({ onlyWith }) => onlyWith === undefined);

  it.each(absent.map((route) => [route.method, route.path, route] as const))(
    '%s %s: 503 SERVICE_UNAVAILABLE for allowed callers; 401, 403 and 405 as usual',
    async (_method, _path, route) => {
      const allowed = route.auth === 'account' ? 'account' : 'master';
      const { status, code } = await sendWithoutServices(route, allowed);
      expect({ status, code }).toEqual({ status: 503, code: route.family === 'account' ? 503 : 'SERVICE_UNAVAILABLE' });
      if (route.auth !== 'public') expect((await sendWithoutServices(route, 'no credential')).status).toBe(401);
      if (!['public', 'any', 'account'].includes(route.auth)) expect((await sendWithoutServices(route, 'none')).status).toBe(403);
      expect((await sendWithoutServices({ ...route, method: undeclaredMethodOf(route) }, 'master')).status).toBe(405);
    },
  );
});

describe('internal routes', () => {
  it.each(Object.values(internalRoutes).map((route) => [route.path, route] as const))(
    '404 at %s, even for the master key',
    async (_path, route) => {
      const requestId = randomUUID();
      expect((await sendRequest(route, 'master', requestId)).status).toBe(404);
      expect(receivedRequestIds()).not.toContain(requestId);
    },
  );
});
