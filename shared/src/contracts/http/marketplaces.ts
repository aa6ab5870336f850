import { z } from 'zod';
import { id, instant, name, noBody, noParams, noQuery, pageQuery } from '../shapes/index.js';
import { route } from './route.js';

const ofMarketplaces = {
  service: 'identity',
  path: '/marketplaces',
  auth: 'master',
  family: 'plain',
  params: noParams,
  malformedParams: 'MARKETPLACE_NOT_FOUND',
} as const;

const marketplaceName = name.meta({ example: 'Crafts and Co' });

export const marketplace = z.object({ id: id('mkt'), name: marketplaceName, createdAt: instant }).meta({ id: 'Marketplace' });
export type MarketplaceView = z.infer<typeof marketplace>;

export const createMarketplace = route({
  ...ofMarketplaces,
  name: 'createMarketplace',
  method: 'post',
  summary: 'Create a marketplace',
  description: 'Only the master key may. The marketplace `mkt_default` exists from the first start.',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({ name: marketplaceName }),
  success: { status: 201, data: marketplace },
  errors: [],
});

export const listMarketplaces = route({
  ...ofMarketplaces,
  name: 'listMarketplaces',
  method: 'get',
  summary: 'List the marketplaces, newest first',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: marketplace, list: true },
  errors: [],
});

export const marketplaceRoutes = [createMarketplace, listMarketplaces] as const;
