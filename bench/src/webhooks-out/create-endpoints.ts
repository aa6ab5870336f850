import { request } from 'undici';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { NotificationsProcess } from '../stream/stream-servers.js';
import type { Receivers } from './receivers.js';

/** Endpoints over as many marketplaces as there are, up to 100. One of them is dead where there are several. */
export type Endpoints = {
  readonly count: number;
  readonly marketplaces: readonly { readonly id: MarketplaceId; readonly live: number }[];
};

const marketplacesMax = 100;
const createdAtOnce = 20;

export async function createEndpoints(
  service: NotificationsProcess,
  { port, deadPort }: Pick<Receivers, 'port' | 'deadPort'>,
  count: number,
): Promise<Endpoints> {
  const ids = Array.from({ length: Math.min(count, marketplacesMax) }, (_, index): MarketplaceId => `mkt_of${count}n${index}`);
  const isDead = (nth: number): boolean => count > 1 && nth === 0;
  const idOf = (nth: number): MarketplaceId => ids[nth % ids.length] ?? 'mkt_default';
  const create = async (nth: number): Promise<void> => {
    const url = isDead(nth) ? `http://127.0.0.1:${deadPort}/dead` : `http://127.0.0.1:${port}/${count}/${nth}`;
    const headers = { 'content-type': 'application/json', ...service.headersFor(idOf(nth)) };
    const response = await request(`${service.url}/webhook-endpoints`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url }),
    });
    const text = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`an endpoint was refused: ${text}`);
  };
  for (let created = 0; created < count; created += createdAtOnce)
    await Promise.all(Array.from({ length: Math.min(createdAtOnce, count - created) }, (_, index) => create(created + index)));
  const live = Array.from({ length: count }, (_, nth) => nth).filter((nth) => !isDead(nth));
  return { count, marketplaces: ids.map((id) => ({ id, live: live.filter((nth) => idOf(nth) === id).length })) };
}
