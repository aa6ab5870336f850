// Starts Scalar on the OpenAPI document of this gateway. Features that use other hosts are off.
const storedKey = 'holdfast-api-key';

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
    securitySchemes: { credential: { token: sessionStorage.getItem(storedKey) ?? '' } },
  },
  // Links name operation ids, such as #tag/orders/orders.create: links stay valid when a path or a summary changes.
  generateOperationSlug: ({ operationId }) => operationId,
  generateWebhookSlug: ({ name }) => name,
  onBeforeRequest: ({ request }) => storeKey(request.headers.get('authorization')),
});

/** Stores the key of the last request for this tab only. Scalar's own `persistAuth` would store it permanently. */
function storeKey(authorization) {
  const key = authorization?.replace(/^Bearer /, '') ?? '';
  if (key === '') sessionStorage.removeItem(storedKey);
  else sessionStorage.setItem(storedKey, key);
}
