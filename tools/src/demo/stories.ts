import { z } from 'zod';
import type { Client, Json } from './client.js';
import { payOut, topUp } from './payments.js';
import { showStatement } from './statement.js';
import { textOf } from './text-of.js';

const milestoneList = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

export type PrintLine = (line: string) => void;

type Parties = { readonly buyerId: string; readonly sellerId: string };
type Funded = { readonly parties: Parties; readonly topup: Json };
type Story = (client: Client, print: PrintLine) => Promise<void>;

/** The seller delivers in two milestones and is paid net of the fee. */
const release: Story = async (client, print) => {
  print('1. An order that is delivered and released');
  const { parties } = await fundedUsers(client, print);
  const milestones = [
    { ref: 'draft', title: 'First draft', amount: '40.00' },
    { ref: 'final', title: 'Final version', amount: '60.00' },
  ];
  const orderId = await fundedOrder(client, print, { ...parties, title: 'Logo design', milestones });
  for (const { ref, title } of milestones) {
    await client.post(`/orders/${orderId}/milestones/${ref}/complete`);
    print(`   milestone   ${title} is delivered`);
  }
  await step(print, 'release', () => client.post(`/orders/${orderId}/resolution/release`, { reason: 'The work is accepted.' }));
  await showBalances(client, print, parties);
};

/** The buyer gets the full amount back. */
const refund: Story = async (client, print) => {
  print('2. An order that is refunded');
  const { parties } = await fundedUsers(client, print);
  const orderId = await fundedOrder(client, print, { ...parties, title: 'A vase that broke' });
  await step(print, 'refund', () => client.post(`/orders/${orderId}/resolution/refund`, { reason: 'It broke on the way.' }));
  await showBalances(client, print, parties);
};

/** The buyer opens a dispute, and a support agent splits the amount. */
const split: Story = async (client, print) => {
  print('3. An order that is disputed and split 60 to 40');
  const { parties } = await fundedUsers(client, print);
  const orderId = await fundedOrder(client, print, { ...parties, title: 'Translation of a book' });
  const opened = { orderId, openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence: ['https://files.example/page-7.pdf'] };
  const dispute = await client.post(`/orders/${orderId}/resolution/dispute`, opened);
  const disputeId = textOf(dispute, 'id');
  print(`   dispute     ${textOf(dispute, 'status')}, opened by the buyer`);
  print(`   assign      ${textOf(await client.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' }), 'status')}`);
  const decision = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00', note: 'A third is missing.' };
  await step(print, 'resolve', () => client.post(`/disputes/${disputeId}/resolve`, decision));
  print(`   order       ${textOf(await client.get(`/orders/${orderId}`), 'status')}`);
  await showBalances(client, print, parties);
};

/** A user withdraws to a bank account what a top-up brought. */
const withdrawal: Story = async (client, print) => {
  print('4. A withdrawal to a bank account');
  const { parties, topup } = await fundedUsers(client, print);
  const withdrawn = await payOut(client, topup, '40.00');
  print(`   withdrawal  ${textOf(withdrawn, 'id')}, 40.00 USD, ${textOf(withdrawn, 'status')}`);
  await showBalances(client, print, parties);
};

/** Paid piece by piece: one milestone is released by silence, one refunded, one disputed and split. */
const piecewise: Story = async (client, print) => {
  print('5. An order of three milestones, paid one by one');
  const { parties } = await fundedUsers(client, print);
  const milestones = [
    { ref: 'draft', title: 'First draft', amount: '30.00' },
    { ref: 'final', title: 'Final version', amount: '30.00' },
    { ref: 'print', title: 'Print files', amount: '40.00' },
  ];
  const orderId = await fundedOrder(client, print, { ...parties, title: 'A poster', milestones, ...silencePays });
  const path = `/orders/${orderId}/milestones`;
  await client.post(`${path}/draft/submit`, { evidence: { text: 'Three drafts, as agreed.' } });
  await payMilestone(print, 'First draft', () => passReview(client, path, 'draft'));
  await payMilestone(print, 'Final version', () => client.post(`${path}/final/refund`, { reason: 'It came too late.' }));
  const { milestone } = await client.post(`${path}/print/dispute`, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
  const disputeId = textOf(milestone, 'disputeId');
  await client.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' });
  const decision = { decision: 'SPLIT', releaseAmount: '25.00', refundAmount: '15.00' };
  await step(print, 'resolve', () => client.post(`/disputes/${disputeId}/resolve`, decision));
  print(`   order       ${textOf(await client.get(`/orders/${orderId}`), 'status')}`);
  await showBalances(client, print, parties);
  await showStatement(client, print, parties.sellerId);
};

export const stories: readonly Story[] = [release, refund, split, withdrawal, piecewise];

const silencePays = { releaseMode: 'milestone', reviewPeriod: 'P1D' };

/** The buyer says nothing until the review ends. The test clock of the marketplace lets the time pass. */
async function passReview(client: Client, path: string, ref: string): Promise<Json> {
  await client.post('/test-clock/advance', { by: silencePays.reviewPeriod });
  const { data } = milestoneList.parse(await client.get(path));
  return { milestone: data.find((milestone) => milestone['ref'] === ref) };
}

async function payMilestone(print: PrintLine, title: string, act: () => Promise<Json>): Promise<void> {
  const begin = performance.now();
  const { milestone } = await act();
  print(`   milestone   ${title} is ${textOf(milestone, 'status')} after ${Math.round(performance.now() - begin)} ms`);
}

async function fundedUsers(client: Client, print: PrintLine): Promise<Funded> {
  const make = async (role: string, type: string): Promise<string> =>
    textOf(await client.post('/users', { externalUserId: `demo-${role}-${crypto.randomUUID()}`, type }), 'id');
  const parties = { buyerId: await make('buyer', 'BUYER'), sellerId: await make('seller', 'SELLER') };
  const { buyerId } = parties;
  const topup = await topUp(client, buyerId, '150.00');
  print(`   buyer       ${buyerId}`);
  print(`   top-up      ${textOf(topup, 'id')}, 150.00 USD, ${textOf(topup, 'status')}`);
  print(`   seller      ${parties.sellerId}`);
  return { parties, topup };
}

async function fundedOrder(client: Client, print: PrintLine, order: Json): Promise<string> {
  const created = await client.post('/orders', { ...order, amount: '100.00' });
  const orderId = textOf(created, 'id');
  print(`   order       ${orderId}, 100.00 USD, ${textOf(created, 'status')}`);
  await step(print, 'reserve', () => client.post(`/orders/${orderId}/reserve`));
  const { escrow } = await step(print, 'escrow', () => client.post(`/orders/${orderId}/escrow`));
  print(`   contract    ${textOf(escrow, 'providerContractId')}`);
  await step(print, 'fund', () => client.post(`/orders/${orderId}/escrow/fund`));
  return orderId;
}

async function step(print: PrintLine, name: string, act: () => Promise<Json>): Promise<Json> {
  const begin = performance.now();
  const result = await act();
  print(`   ${name.padEnd(11)} ${textOf(result, 'status')} after ${Math.round(performance.now() - begin)} ms`);
  return result;
}

async function showBalances(client: Client, print: PrintLine, { buyerId, sellerId }: Parties): Promise<void> {
  for (const [who, userId] of [['buyer', buyerId] as const, ['seller', sellerId] as const]) {
    const balance = await client.get(`/users/${userId}/balance`);
    print(`   ${who.padEnd(11)} has ${textOf(balance, 'available')} USD available, ${textOf(balance, 'reserved')} reserved`);
  }
  print('');
}
