export { selfSignedCertificate, type Certificate } from './self-signed-certificate.js';
export { startTlsProxy, type TlsProxy } from './tls-proxy.js';
