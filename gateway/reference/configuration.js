// Starts Scalar on the OpenAPI document of this gateway. Features that use other hosts are off.
const apiKey = 'holdfast-api-key';
const accountToken = 'holdfast-account-token';

window.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  showOperationId: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: 'credential',
    securitySchemes: { credential: { token: stored(apiKey) }, accountToken: { token: stored(accountToken) } },
  },
  // Links name operation ids, such as #tag/orders/orders.create: links stay valid when a path or a summary changes.
  generateOperationSlug: ({ operationId }) => operationId,
  generateWebhookSlug: ({ name }) => name,
  onBeforeRequest: ({ request }) => store(request),
});

function stored(name) {
  return sessionStorage.getItem(name) ?? '';
}

/**
 * Stores the key or token of the last request for this tab only. Scalar's own `persistAuth` would store it permanently. The paths
 * of the account API have no prefix.
 */
function store({ url, headers }) {
  const name = new URL(url, location.origin).pathname.startsWith('/api/') ? apiKey : accountToken;
  const credential = headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  if (credential === '') sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, credential);
}
