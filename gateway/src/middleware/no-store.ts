import type { RequestHandler } from 'express';

/** Default `Cache-Control`; a service may replace it. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
