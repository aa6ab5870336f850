export { closeTogether, proxiedUrl } from './tcp-proxy.js';
