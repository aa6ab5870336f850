import type { RequestHandler } from 'express';

/** No cache may keep a response, unless its service says otherwise. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
