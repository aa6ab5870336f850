import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { systemClock, toInstant } from '@holdfast/kernel/instants';
import { eventually } from '@holdfast/testing/eventually';
import { sandboxControl } from '../faults/sandbox-control.js';
import { startWebhookReceiver } from '../testing/webhook-receiver.js';
import type { WholePlatform } from './platform.js';

/** A request as the reference shows it. */
type Example = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isAccountApi: boolean;
  readonly credential: 'none' | 'master' | 'account';
  readonly body: string | undefined;
};

type ExampleResponse = { readonly status: number; readonly data: Fields };
type Fields = Readonly<Record<string, unknown>>;

/** Ids that stand in for the placeholders, by prefix. */
type Ids = Map<string, string>;

/** Requests whose responses name what later ones are about. */
const creating = /\.(create|open|initEscrow)$|^webhookEndpoints\.test$/;

/** After the name of an example: with the fields of an order that is paid milestone by milestone. */
const byMilestone = ' by milestone';

/** The examples that come first if an example needs its own order, withdrawal or project. */
const funded = ['orders.create', 'orders.reserve', 'orders.createEscrow', 'orders.fundEscrow'] as const;
/** An order whose milestones are paid one by one. */
const fundedByMilestone = [`orders.create${byMilestone}`, ...funded.slice(1)];
/** A withdrawal whose payout the provider has. */
const committed = ['withdrawals.create', 'withdrawals.commit'];
const needs: Readonly<Record<string, readonly string[]>> = {
  'orders.submitMilestone': fundedByMilestone,
  'orders.requestMilestoneChanges': [...fundedByMilestone, 'orders.submitMilestone'],
  'orders.extendMilestoneReview': [...fundedByMilestone, 'orders.submitMilestone'],
  'orders.releaseMilestone': [...fundedByMilestone, 'orders.completeMilestone'],
  'orders.refundMilestone': fundedByMilestone,
  'orders.disputeMilestone': fundedByMilestone,
  'orders.cancel': ['orders.create'],
  'orders.refund': funded,
  'disputes.open': funded,
  'withdrawals.cancel': ['withdrawals.create'],
  'projects.update': ['projects.create'],
  'webhookEndpoints.delete': ['webhookEndpoints.create'],
  'sandbox.confirmTopup': ['topups.create'],
  'sandbox.failTopup': ['topups.create'],
  'sandbox.cancelTopup': ['topups.create'],
  'sandbox.completeWithdrawal': committed,
  'sandbox.failWithdrawal': committed,
  'sandbox.requireAction': committed,
  'sandbox.resumeWithdrawal': [...committed, 'sandbox.requireAction'],
};

/** Only a saga that hangs has an open run, and the examples of a sound platform leave none behind. */
const ofHangingSagas: ReadonlySet<string> = new Set(['operations.getSaga', 'operations.redriveSaga']);

/** Only the providers call them, with a signature. */
const ofProviders = 'Provider webhooks';

/** A newcomer tries the examples of the reference one after the other, and puts the ids of earlier responses into later requests. */
export function describeReference(platform: () => WholePlatform): void {
  describe('the API reference', () => {
    it('has examples that succeed in their order, with the ids of earlier responses for its placeholders', async () => {
      const examples = await examplesOf(platform());
      const receiver = await startWebhookReceiver();
      const reader = createReader(platform(), examples, `http://127.0.0.1:${receiver.port}/webhooks`);
      const refused: string[] = [];
      for (const example of examples) {
        const { status, data } = await reader.follow(example);
        if (status >= 400) refused.push(`${example.name}: ${String(status)} ${JSON.stringify(data)}`);
      }
      receiver.stop();
      expect(refused).toEqual([]);
      expect(examples.length).toBeGreaterThan(70);
    });
  });
}

const parameter = z.looseObject({
  in: z.string().optional(),
  name: z.string().optional(),
  required: z.boolean().optional(),
  schema: z.unknown().optional(),
});
const withExamples = z.object({ examples: z.array(z.string()).min(1) });
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameter),
  requestBody: z
    .object({
      content: z.object({
        'application/json': z.object({ examples: z.object({ request: z.object({ value: z.unknown() }) }) }),
      }),
    })
    .optional(),
});
const reference = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

async function examplesOf({ baseUrl }: WholePlatform): Promise<readonly Example[]> {
  const { paths } = reference.parse(await (await fetch(`${baseUrl}/openapi.json`)).json());
  return Object.entries(paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods).flatMap(([method, declared]) => {
      const { operationId: name, tags, security, parameters, requestBody } = operation.parse(declared);
      if (tags.includes(ofProviders) || ofHangingSagas.has(name)) return [];
      const value = requestBody?.content['application/json'].examples.request.value;
      const body = value === undefined ? undefined : JSON.stringify(value);
      const credential = security[0] === undefined ? 'none' : 'accountToken' in security[0] ? 'account' : 'master';
      return [{ name, method, path: filled(path, parameters), isAccountApi: servers !== undefined, credential, body } as const];
    }),
  );
}

/** The path with the examples of its parameters, and the query that it requires. */
function filled(path: string, parameters: readonly z.output<typeof parameter>[]): string {
  const exampleOf = (schema: unknown): string => withExamples.parse(schema).examples[0] ?? '';
  const inPath = parameters.filter((each) => each.in === 'path');
  const given = inPath.reduce((text, { name = '', schema }) => text.replace(`{${name}}`, exampleOf(schema)), path);
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  const query = new URLSearchParams(required.map(({ name = '', schema }): [string, string] => [name, exampleOf(schema)]));
  return query.size === 0 ? given : `${given}?${query.toString()}`;
}

function createReader(platform: WholePlatform, examples: readonly Example[], webhookUrl: string) {
  const learned: Ids = new Map();
  const person = { email: `${randomUUID()}@example.com`, token: '', id: '', webhookUrl };
  const named = (name: string): Example => {
    const found = examples.find((example) => example.name === name.replace(byMilestone, ''));
    if (found === undefined) throw new Error(`The reference has no ${name}.`);
    return name.endsWith(byMilestone)
      ? { ...found, body: found.body?.replace('"releaseMode":"order"', '"releaseMode":"milestone"') }
      : found;
  };

  const send = async (example: Example, ids: Ids): Promise<ExampleResponse> => {
    const response = await sendExample(platform, { ...example, ...replaced(example, ids, person) }, person.token);
    const { token, user } = response.data;
    if (typeof token === 'string' && example.name === 'accounts.logIn') Object.assign(person, { token, id: idOf(user) });
    return response;
  };
  const follow = async (example: Example): Promise<ExampleResponse> => {
    if (example.name === 'reconciliation.resolveCase') await openCase(platform, named, (each) => send(each, learned), learned);
    if (example.name === 'projects.initEscrow') await creditPerson(person.id);
    if (needs[example.name]?.includes('orders.reserve') === true) await creditBuyer();
    const ids = new Map(learned);
    for (const name of needs[example.name] ?? []) learnFrom(await send(named(name), ids), ids);
    const response = await patiently(() => send(example, ids));
    if (creating.test(example.name)) learnFrom(response, learned);
    if (example.name === 'events.list') learned.set('evt', eventIdIn(response));
    return response;
  };
  /** The examples fund several orders of 100.00. */
  const creditBuyer = async (): Promise<void> => {
    const { body = '' } = replaced(named('orders.create'), learned, person);
    const { buyerId } = z.object({ buyerId: z.string() }).parse(JSON.parse(body));
    await platform.api.post(`/users/${buyerId}/balance/credit`, { amount: '100.00' });
  };
  /** What `balances.credit` does for the demo buyer. */
  const creditPerson = async (id: string): Promise<void> => {
    const { path, ...credit } = named('balances.credit');
    await send({ ...credit, path: path.replace(/usr_\w+/, id) }, learned);
  };
  return { follow };
}

/** Repeats the request while an operation or a delivery is under way, as the message of the refusal says. */
async function patiently(request: () => Promise<ExampleResponse>): Promise<ExampleResponse> {
  return eventually(async () => {
    const response = await request();
    if (isInProgress(response)) throw new Error(JSON.stringify(response.data));
    return response;
  });
}

function isInProgress({ status, data }: ExampleResponse): boolean {
  return status === 409 && refusal.safeParse(data).success;
}

const refusal = z.object({
  error: z.object({
    details: z.union([z.object({ operation: z.string() }), z.object({ currentStatus: z.enum(['PENDING', 'RETRYING']) })]),
  }),
});

type Send = (example: Example) => Promise<ExampleResponse>;

/** A case: a payment that comes in after its top-up was canceled. */
async function openCase(
  { api, sandboxUrl }: WholePlatform,
  named: (name: string) => Example,
  send: Send,
  ids: Ids,
): Promise<void> {
  const created = await send(named('topups.create'));
  learnFrom(created, ids);
  await send(named('topups.cancel'));
  await sandboxControl(sandboxUrl).control(`/payins/${String(created.data['providerPayinId'])}/confirm`);
  await send(named('topups.refresh'));
  await eventually(async () => {
    const { data } = await api.get('/reconciliation/cases?kind=late_money&status=OPEN');
    const [found] = z
      .array(z.object({ id: z.string() }))
      .min(1)
      .parse(data['data']);
    learnFrom({ status: 200, data: { ...found } }, ids);
  });
}

const placeholder = /\b([a-z]+)_01JB2M3N4P5Q6R7S8T9V0W1X2Y\b/g;

/** The reader takes times that are in the future for him, also after the example of the test clock. */
const exampleTime = '2027-01-31T12:00:00Z';
const soon = (): string => toInstant(systemClock().epochMs() + 40 * 86_400_000);

type Person = { readonly email: string; readonly webhookUrl: string };

/** The reader has an e-mail address, order references, times and a webhook endpoint of his own. */
function replaced(
  { path, body, isAccountApi }: Example,
  ids: Ids,
  { email, webhookUrl }: Person,
): Pick<Example, 'path' | 'body'> {
  const fill = (text: string): string => text.replace(placeholder, (found, prefix: string) => ids.get(prefix) ?? found);
  if (body === undefined) return { path: fill(path), body };
  const own = body
    .replace('cart-1042', randomUUID())
    .replace('https://marketplace.example/webhooks', webhookUrl)
    .replace(exampleTime, soon());
  return { path: fill(path), body: fill(isAccountApi ? own.replace('ada@example.com', email) : own) };
}

function learnFrom({ data }: ExampleResponse, ids: Ids): void {
  for (const field of ['id', 'escrow_id']) {
    const id = data[field];
    if (typeof id === 'string') ids.set(id.slice(0, id.indexOf('_')), id);
  }
}

function eventIdIn({ data }: ExampleResponse): string {
  const [found] = z
    .array(z.object({ eventId: z.string() }))
    .min(1)
    .parse(data['data']);
  return found?.eventId ?? '';
}

function idOf(user: unknown): string {
  return z.object({ id: z.string() }).parse(user).id;
}

async function sendExample({ baseUrl, masterKey }: WholePlatform, example: Example, token: string): Promise<ExampleResponse> {
  const { method, path, isAccountApi, credential, body } = example;
  const authorization = {
    none: {},
    master: { authorization: `Bearer ${masterKey}` },
    account: { authorization: `Bearer ${token}` },
  };
  const response = await fetch(`${isAccountApi ? new URL(baseUrl).origin : baseUrl}${path}`, {
    method: method.toUpperCase(),
    headers: { ...authorization[credential], ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, data: await dataOf(response) };
}

const record = z.record(z.string(), z.unknown());

/** The object itself, also where routes wrap it a second time; an error as it is. Streams, pages and redirects have none. */
async function dataOf(response: Response): Promise<Fields> {
  if (response.headers.get('content-type')?.includes('application/json') !== true) {
    await response.body?.cancel();
    return {};
  }
  const text = record.parse(await response.json());
  const data = record.safeParse(text['data']).data ?? text;
  return data['success'] === true ? (record.safeParse(data['data']).data ?? data) : data;
}
