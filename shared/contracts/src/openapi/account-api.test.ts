import { allRoutes, initEscrow, logIn, releaseEscrow, type RouteDeclaration } from '../http/index.js';
import { allMessages } from '../messages/index.js';
import { openApiDocument, type Operation } from './index.js';

const document = openApiDocument(allRoutes, allMessages, '1.2.3');
const ofAccounts = allRoutes.filter(({ family }) => family === 'account');

const operationOf = ({ path, method }: RouteDeclaration): Operation | undefined => document.paths[path]?.[method];
const examplesAt = (declared: RouteDeclaration, status: number | string): readonly Readonly<Record<string, unknown>>[] =>
  Object.values(operationOf(declared)?.responses[status]?.content?.['application/json']?.examples ?? {});

describe.each(ofAccounts)('the operation $name of the account API', (declared) => {
  const operation = operationOf(declared);

  it('has no prefix, its own tag and its own token', () => {
    for (const { servers } of [document.paths[declared.path] ?? {}, operation ?? {}]) expect(servers).toEqual([{ url: '/' }]);
    const security = declared.auth === 'public' ? [] : [{ accountToken: [] }];
    expect(operation).toMatchObject({ tags: ['Account API'], security });
  });

  it('has names in snake_case only', () => {
    const body = operation?.requestBody?.content['application/json'];
    const names = [
      ...(operation?.parameters ?? []).flatMap((one) => ('name' in one ? [one.name] : [])),
      ...Object.keys(body?.schema.properties ?? {}),
      ...(body?.schema.required ?? []),
      ...namesIn([body?.examples, examplesAt(declared, 200)]),
    ];
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });

  it('has its errors in the envelope of the account API', () => {
    const statuses = Object.keys(operation?.responses ?? {}).filter((status) => status !== '200');
    expect(statuses).toEqual(expect.arrayContaining(['422', '429', '500', '503']));
    for (const status of statuses) {
      const errors = status === '422' ? { errors: [expect.any(String)] } : {};
      const envelope = { code: Number(status), type: 'error', ok: false, message: expect.any(String), data: null, ...errors };
      for (const { value } of examplesAt(declared, status)) expect(value).toEqual(envelope);
    }
  });
});

describe('the account API', () => {
  it('has the errors that the specification words', () => {
    const messagesAt = (declared: RouteDeclaration, status: number): readonly unknown[] =>
      examplesAt(declared, status).map(({ summary }) => summary);
    expect(messagesAt(initEscrow, 400)).toContain('Insufficient balance to fund escrow');
    expect(messagesAt(releaseEscrow, 400)).toContain('Escrow not releasable');
    expect(messagesAt(logIn, 401)).toEqual(['Invalid email or password']);
  });

  it('cannot share a path with the platform API', () => {
    const both = [initEscrow, { ...initEscrow, method: 'get', family: 'plain' } as const];
    expect(() => openApiDocument(both, [], '1')).toThrow('/escrow/init is declared in both interfaces');
  });
});

/** The names of all fields, at any depth. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(namesIn);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}
