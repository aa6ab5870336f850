import { fileURLToPath } from 'node:url';
import type { Router } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { createRouter, type Middleware } from '@holdfast/http/server';
import { guideContentSecurityPolicy } from './helmet-options.js';
import { pageHeaders, sendContent, type Content } from './page-content.js';

const guidesFolder = fileURLToPath(new URL('../../docs/guides/', import.meta.url));
const ownFolder = fileURLToPath(new URL('../reference/', import.meta.url));

/** Serves docs/guides as pages: the index at /docs/guides, and each guide by its file name without `.md`. See ADR 0114. */
export function guidePages(): Router {
  const router = createRouter();
  const policy = contentSecurityPolicy(guideContentSecurityPolicy);
  router.get(['/docs/guides', '/docs/guides/', '/docs/guides/:name'], policy, pageHeaders, sendGuide());
  router.get('/docs/guides.css', policy, pageHeaders, (_request, response) =>
    response.sendFile('guides.css', { root: ownFolder }),
  );
  return router;
}

/** The first request for a guide loads the renderer and renders all of them, so that a start waits for neither. */
function sendGuide(): Middleware {
  let rendered: Promise<ReadonlyMap<string, Content>> | undefined;
  const load = async (): Promise<ReadonlyMap<string, Content>> => {
    const { renderGuides } = await import('./render-guides.js');
    return renderGuides(guidesFolder);
  };
  return async (request, response, next) => {
    const guide = (await (rendered ??= load())).get(request.params['name'] ?? '');
    if (guide === undefined) next();
    else sendContent(request, response, 'text/html', guide);
  };
}
