import { AppError } from '@holdfast/kernel/errors';
import { headersMax } from './connection-limits.js';
import type { Middleware } from './express-app.js';

/** Visible ASCII without a fragment. Anything else, an absolute URL for example, is the address of nothing here. */
const targetForm = /^\/[!"$-~]*$/;

/**
 * Refuses what no route could mean before anything is read from it: more headers than are allowed (431), and a target that is
 * not a plain path (404).
 */
export const checkRequest: Middleware = (request, _response, next) => {
  if (request.rawHeaders.length > 2 * headersMax) throw new AppError('HEADERS_TOO_LARGE');
  if (!targetForm.test(request.url)) throw new AppError('NOT_FOUND');
  if (request.url.includes('%')) request.url = withLiteralEscapes(request.url);
  next();
};

/**
 * A segment with a broken percent escape is taken literally: no id looks like that, so the 404 of the resource follows, where
 * Express would respond with an error of its own. `req.originalUrl` stays as it was.
 */
function withLiteralEscapes(url: string): string {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark);
  return path.split('/').map(literalUnlessDecodable).join('/') + query;
}

function literalUnlessDecodable(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll('%', '%25');
  }
}
