import { allRoutes, fullPathOf, type RouteDeclaration } from '@holdfast/contracts/http';
import { aServer } from './test-server.js';

/** The routes of the account API. */
export const declared = allRoutes.filter(({ family }) => family === 'account');

export function named(name: string): RouteDeclaration {
  const found = declared.find((route) => route.name === name);
  if (found === undefined) throw new Error(`there is no route ${name}`);
  return found;
}

const projectId = 'prj_01JB2M3N4P5Q6R7S8T9V0W1X2Y';

/** Valid bodies by the names of the routes that take one. */
export const validBodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'accounts.register': { email: 'ada@example.com', password: 'correct horse', name: 'Ada' },
  'accounts.logIn': { email: 'ada@example.com', password: 'correct horse' },
  'accounts.connectWallet': { public_key: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' },
  'projects.create': { title: 'A website', description: 'Five pages', budget: 100, currency: 'USD' },
  'projects.update': { status: 'canceled' },
  'projects.initEscrow': { project_id: projectId, seller_id: 'usr_2', amount: 12.5, currency: 'USD' },
  'projects.releaseEscrow': { escrow_id: 'esc_1' },
};

/** The valid body of a route with changes, as JSON. */
export function bodyOf(name: string, changes: object = {}): string {
  return JSON.stringify({ ...validBodies[name], ...changes });
}

export function pathOf(route: RouteDeclaration): string {
  return fullPathOf(route).replace('{id}', projectId);
}

export const envelope = (code: number, message: unknown) => ({ code, type: 'error', ok: false, message, data: null });

/** The body of a 422. */
export const refusal = (errors: readonly unknown[]) => ({
  ...envelope(422, 'The request has invalid, missing or unknown fields.'),
  errors,
});

type Sent = { readonly query?: string; readonly body?: string; readonly headers?: Record<string, string> };

/** A server of all routes of the account API; their handlers count their runs and call `respond`. */
export async function anAccountServer() {
  const initial = { runs: 0, respond: (): Promise<unknown> => Promise.resolve({ some: 'data' }) };
  const state = { ...initial };
  const run = (): Promise<unknown> => {
    state.runs += 1;
    return state.respond();
  };
  const server = await aServer({ routes: declared.map((declaration) => ({ declaration, run })) });
  const call = async (route: RouteDeclaration, { query = '', ...init }: Sent = {}) => {
    const { status, headers, body } = await server.send(`${pathOf(route)}${query}`, {
      method: route.method.toUpperCase(),
      ...init,
    });
    return { status, headers, body };
  };
  return { ...server, state, call, reset: () => void Object.assign(state, initial) };
}
