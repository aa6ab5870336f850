import { systemClock, toInstant } from '@holdfast/kernel/instants';
import { anOrder, bringTo, textOf, type Milestone } from '../faults/order-life.js';
import type { Api } from '../testing/api.js';

const dayMs = 86_400_000;

/**
 * An order that is paid milestone by milestone. The first one is changed, its review extended when its release is due soon, and it is
 * released. The second one is disputed, and split once its dispute is overdue. `published` resolves when there are events of these types.
 */
export async function playMilestones(
  api: Api,
  milestones: readonly Milestone[],
  published: (...types: readonly string[]) => Promise<void>,
): Promise<void> {
  const order = await anOrder(api, milestones, { releaseMode: 'milestone', reviewPeriod: 'PT12H' });
  await bringTo(api, order, 'release-milestone');
  const [first, second] = milestones.map(({ ref }) => `/orders/${order.id}/milestones/${ref}`);
  const post = async (path: string, body: object = {}) => {
    const { status, code, data } = await api.post(path, body);
    expect([path, code, status < 300]).toEqual([path, undefined, true]);
    return data;
  };
  await post(`${first}/submit`);
  await post(`${first}/request-changes`, { reason: 'It is too small.' });
  await post(`${first}/submit`);
  await published('milestone.release_due_soon');
  await post(`${first}/extend-review`, { until: toInstant(systemClock().epochMs() + 2 * dayMs) });
  await post(`${first}/release`);
  const { milestone } = await post(`${second}/dispute`, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
  const dispute = `/disputes/${textOf(milestone, 'disputeId')}`;
  await post(`${dispute}/evidence`, { by: 'SELLER', text: 'The printer confirmed it.' });
  await published('dispute.due_soon', 'dispute.overdue');
  await post(`${dispute}/assign`, { assignedTo: 'agent-3' });
  await post(`${dispute}/resolve`, { decision: 'SPLIT', releaseAmount: '20.00', refundAmount: '40.00' });
}
