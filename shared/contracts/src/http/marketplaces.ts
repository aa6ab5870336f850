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

const marketplaceName = name.meta({ description: 'Display name', example: 'Crafts and Co' });

export const marketplace = z.object({ id: id('mkt'), name: marketplaceName, createdAt: instant }).meta({ id: 'Marketplace' });
export type MarketplaceView = z.infer<typeof marketplace>;

export const createMarketplace = route({
  ...ofMarketplaces,
  name: 'marketplaces.create',
  method: 'post',
  summary: 'Create a marketplace',
  description: 'Requires the master key. The marketplace `mkt_default` always exists.',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({ name: marketplaceName }),
  success: { status: 201, data: marketplace },
  errors: [],
});

export const listMarketplaces = route({
  ...ofMarketplaces,
  name: 'marketplaces.list',
  method: 'get',
  summary: 'List marketplaces',
  description: 'Newest first. Requires the master key.',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: marketplace, list: true },
  errors: [],
});

export const marketplaceRoutes = { createMarketplace, listMarketplaces };
