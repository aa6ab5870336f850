import type { Client, Json } from './client.js';

export type Tell = (line: string) => void;

type Parties = { readonly buyerId: string; readonly sellerId: string };
type Story = (client: Client, tell: Tell) => Promise<void>;

/** Everything went well: the seller delivers in two parts and is paid less the fee. */
const release: Story = async (client, tell) => {
  tell('1. An order that is delivered and released');
  const parties = await twoUsers(client, tell);
  const milestones = [
    { ref: 'draft', title: 'First draft', amount: '40.00' },
    { ref: 'final', title: 'Final version', amount: '60.00' },
  ];
  const orderId = await fundedOrder(client, tell, { ...parties, title: 'Logo design', milestones });
  for (const { ref, title } of milestones) {
    await client.post(`/orders/${orderId}/milestones/${ref}/complete`);
    tell(`   milestone   ${title} is delivered`);
  }
  await step(tell, 'release', () => client.post(`/orders/${orderId}/resolution/release`, { reason: 'The work is accepted.' }));
  await showBalances(client, tell, parties);
};

/** The buyer gets everything back. */
const refund: Story = async (client, tell) => {
  tell('2. An order that is refunded');
  const parties = await twoUsers(client, tell);
  const orderId = await fundedOrder(client, tell, { ...parties, title: 'A vase that broke' });
  await step(tell, 'refund', () => client.post(`/orders/${orderId}/resolution/refund`, { reason: 'It broke on the way.' }));
  await showBalances(client, tell, parties);
};

/** They disagree, and an agent divides the money. */
const split: Story = async (client, tell) => {
  tell('3. An order that is disputed and split 60 to 40');
  const parties = await twoUsers(client, tell);
  const orderId = await fundedOrder(client, tell, { ...parties, title: 'Translation of a book' });
  const opened = { orderId, openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence: ['https://files.example/page-7.pdf'] };
  const dispute = await client.post(`/orders/${orderId}/resolution/dispute`, opened);
  const disputeId = textOf(dispute, 'id');
  tell(`   dispute     ${textOf(dispute, 'status')}, opened by the buyer`);
  tell(`   assign      ${textOf(await client.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' }), 'status')}`);
  const decision = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00', note: 'A third is missing.' };
  await step(tell, 'resolve', () => client.post(`/disputes/${disputeId}/resolve`, decision));
  tell(`   order       ${textOf(await client.get(`/orders/${orderId}`), 'status')}`);
  await showBalances(client, tell, parties);
};

export const stories: readonly Story[] = [release, refund, split];

async function twoUsers(client: Client, tell: Tell): Promise<Parties> {
  const make = async (role: string, type: string): Promise<string> =>
    textOf(await client.post('/users', { externalUserId: `demo-${role}-${crypto.randomUUID()}`, type }), 'id');
  const parties = { buyerId: await make('buyer', 'BUYER'), sellerId: await make('seller', 'SELLER') };
  const { buyerId } = parties;
  await client.post(`/users/${buyerId}/balance/credit`, { amount: '150.00', reference: `demo-${buyerId}` });
  tell(`   buyer       ${buyerId} with 150.00 USD`);
  tell(`   seller      ${parties.sellerId}`);
  return parties;
}

async function fundedOrder(client: Client, tell: Tell, order: Json): Promise<string> {
  const created = await client.post('/orders', { ...order, amount: '100.00' });
  const orderId = textOf(created, 'id');
  tell(`   order       ${orderId}, 100.00 USD, ${textOf(created, 'status')}`);
  await step(tell, 'reserve', () => client.post(`/orders/${orderId}/reserve`));
  const { escrow } = await step(tell, 'escrow', () => client.post(`/orders/${orderId}/escrow`));
  tell(`   contract    ${textOf(escrow, 'providerContractId')}`);
  await step(tell, 'fund', () => client.post(`/orders/${orderId}/escrow/fund`));
  return orderId;
}

async function step(tell: Tell, name: string, act: () => Promise<Json>): Promise<Json> {
  const begin = performance.now();
  const answer = await act();
  tell(`   ${name.padEnd(11)} ${textOf(answer, 'status')} after ${Math.round(performance.now() - begin)} ms`);
  return answer;
}

async function showBalances(client: Client, tell: Tell, { buyerId, sellerId }: Parties): Promise<void> {
  for (const [who, userId] of [['buyer', buyerId] as const, ['seller', sellerId] as const]) {
    const balance = await client.get(`/users/${userId}/balance`);
    tell(`   ${who.padEnd(11)} has ${textOf(balance, 'available')} USD available, ${textOf(balance, 'reserved')} reserved`);
  }
  tell('');
}

function textOf(record: unknown, field: string): string {
  const value: unknown =
    typeof record === 'object' && record !== null ? Object.entries(record).find(([name]) => name === field)?.[1] : undefined;
  return typeof value === 'string' ? value : '—';
}
